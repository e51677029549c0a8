import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import type { Reactor } from '../../engine/registry.js';
import { Streams } from '../../engine/streams/streams.js';
import type { SubjectEvent } from '../../identity/domain/subject.js';
import { type Context, createChildContext, createEventContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import { type BuyerSales, OpenSales } from '../commands/buyer-sales.steps.js';
import { ErasedBuyers } from '../commands/erased-buyers.steps.js';
import { ForgottenBuyers } from '../commands/forgotten-buyers.steps.js';
import { cartDecider } from '../domain/cart.js';
import { offerDecider } from '../domain/offer.js';
import { orderDecider } from '../domain/order.js';
import { type BuyerDocument, buyers } from '../projections/buyers.js';
import { carts } from '../projections/carts.js';
import { offers } from '../projections/offers.js';
import { orders } from '../projections/orders.js';
import { BUYER_PATH } from '../projections/resources.js';

const PAGE = 100;

/**
 * Ends what a person wanted before the erasure: the open carts and offers, and the subscriptions and installments that a
 * checkout has started after the search of the erasure. What the person wants later has a later place in the log.
 */
@Injectable()
export class EndForgottenSales implements Reactor<SubjectEvent> {
  readonly name = 'end-forgotten-sales';
  readonly types = typesOf<SubjectEvent>({ SubjectForgotten: true });
  readonly needs = [buyers, orders, carts, offers];

  constructor(
    private readonly streams: Streams,
    private readonly reader: ReadModelReader,
    private readonly erased: ErasedBuyers,
    private readonly sales: OpenSales,
    private readonly forgotten: ForgottenBuyers,
  ) {}

  async react(event: RecordedOf<SubjectEvent>): Promise<void> {
    await this.reader.requirePosition(orders, event.position);
    for (const buyer of await this.erased.find(event, this.name)) await this.end(buyer, event);
  }

  private async end({ id, _business, _mode }: BuyerDocument, event: RecordedOf<SubjectEvent>): Promise<void> {
    const context = { ...createEventContext(event, this.name, id), business: _business, mode: _mode };
    const request = { where: { ...toOwnerFilter(context), [BUYER_PATH]: id }, limit: PAGE };
    for await (const slice of readSlices(this.reader, orders, request, context.consistency))
      for (const order of slice) await this.endStarted(order.id, createChildContext(context, order.id));
    await this.sales.end(await this.keepForgotten(await this.sales.find(id, context)), context);
  }

  private async endStarted(orderId: string, context: Context): Promise<void> {
    const order = await this.streams.loadState(orderDecider, orderId);
    if (order.status !== 'unknown') await this.forgotten.endStarted(order.placed, context);
  }

  private async keepForgotten({ carts: openCarts, offerIds }: BuyerSales): Promise<BuyerSales> {
    const isCartForgotten = await Promise.all(openCarts.map(({ id }) => this.isCartForgotten(id)));
    const isOfferForgotten = await Promise.all(offerIds.map((id) => this.isOfferForgotten(id)));
    return {
      carts: openCarts.filter((_, i) => isCartForgotten[i]),
      offerIds: offerIds.filter((_, i) => isOfferForgotten[i]),
    };
  }

  private async isCartForgotten(cartId: string): Promise<boolean> {
    const cart = await this.streams.loadState(cartDecider, cartId);
    const buyer = cart.status === 'unknown' ? null : cart.content.buyer;
    return buyer !== null && this.forgotten.isForgotten({ cartId, buyer, offer: null });
  }

  private async isOfferForgotten(offerId: string): Promise<boolean> {
    const offer = await this.streams.loadState(offerDecider, offerId);
    return offer.status !== 'unknown' && this.forgotten.isOfferForgotten(offer.content);
  }
}
