import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { ownState } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import type { BuyerOwner } from '../domain/buyer.js';
import type { CartOffer } from '../domain/cart-content.js';
import { type KnownOffer, type OfferCommand, offerDecider } from '../domain/offer.js';

/** The offer of a sale, and the order that accepts it. */
interface OfferedSale {
  readonly orderId: string;
  readonly offer?: CartOffer | null;
}

/** Reads offers from their streams, and reserves them for the orders of checkouts. */
@Injectable()
export class Offers {
  constructor(private readonly streams: Streams) {}

  /** Returns the offer that a request body refers to. */
  async requireReferenced(id: string, { businessId: business, mode }: BuyerOwner): Promise<KnownOffer> {
    const found = ownState(offerDecider, await this.streams.loadState(offerDecider, id), { business, mode });
    if (found === null) throw Rejection.unknownReference('offer_id');
    return found;
  }

  async findCurrent(offer: CartOffer | null | undefined): Promise<KnownOffer | null> {
    if (!offer) return null;
    const found = await this.streams.loadState(offerDecider, offer.offerId);
    return found.status === 'unknown' ? null : found;
  }

  /**
   * Reserves the offer before the charge, so that of several carts one is paid. Returns whether the order may go on.
   * @param context the context of the cart's CheckOut command
   */
  async reserve(sale: OfferedSale, context: Context): Promise<boolean> {
    const state = await this.execute('ReserveOffer', sale, context);
    return state === null || state.orderId === sale.orderId;
  }

  async release(sale: OfferedSale, context: Context): Promise<void> {
    await this.execute('ReleaseOffer', sale, context);
  }

  async accept(sale: OfferedSale, context: Context): Promise<void> {
    await this.execute('AcceptOffer', sale, context);
  }

  private async execute(
    type: Extract<OfferCommand, { readonly orderId: string }>['type'],
    { offer, orderId }: OfferedSale,
    context: Context,
  ): Promise<KnownOffer | null> {
    if (!offer) return null;
    const step = createChildContext(context, type);
    const { state } = await this.streams.execute(offerDecider, offer.offerId, { type, orderId }, step);
    return state.status === 'unknown' ? null : state;
  }
}
