import { Injectable } from '@nestjs/common';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { readSlices } from '../../engine/read-models/read-slices.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { EventStore } from '../../kernel/event-store.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import { cartDecider } from '../domain/cart.js';
import { offerDecider } from '../domain/offer.js';
import { isOpenOffer } from '../domain/offer-rules.js';
import { type CartDocument, carts } from '../projections/carts.js';
import { offers } from '../projections/offers.js';
import { BUYER_PATH } from '../projections/resources.js';

const PAGE = 100;

export interface CartOfBuyer {
  readonly id: string;
  readonly buyerId: string;
}

/** The carts and offers of a buyer, which may have ended. A cart may have another buyer now. */
export interface BuyerSales {
  readonly carts: readonly CartOfBuyer[];
  readonly offerIds: readonly string[];
}

/** Finds and ends what a buyer can still buy with. The read models only find it: the streams decide. */
@Injectable()
export class OpenSales {
  constructor(
    private readonly store: EventStore,
    private readonly reader: ReadModelReader,
    private readonly streams: Streams,
  ) {}

  /** @param context of the buyer's business and mode */
  async find(buyerId: string, context: Context): Promise<BuyerSales> {
    const head = await this.store.readHead();
    await Promise.all([carts, offers].map((projection) => this.reader.requirePosition(projection, head)));
    const request = { where: { ...toOwnerFilter(context), [BUYER_PATH]: buyerId }, limit: PAGE };
    const found = { carts: [] as CartOfBuyer[], offerIds: [] as string[] };
    for await (const slice of readSlices(this.reader, carts, request, context.consistency))
      found.carts.push(...slice.filter(({ status }) => status === 'open').map(toCartOfBuyer));
    for await (const slice of readSlices(this.reader, offers, request, context.consistency))
      found.offerIds.push(...slice.filter(({ status }) => isOpenOffer(status)).map(({ id }) => id));
    return found;
  }

  /**
   * Ends the open carts and offers, so that a person who is then forgotten is not charged. A repeated call has no effect.
   * @throws Rejection concurrent_update, while a checkout of an offer waits for its payment
   */
  async end({ carts: found, offerIds }: BuyerSales, context: Context): Promise<void> {
    for (const { id, buyerId } of found)
      await this.streams.execute(cartDecider, id, { type: 'ExpireCart', buyerId }, createChildContext(context, id));
    for (const id of offerIds)
      await this.streams.execute(offerDecider, id, { type: 'WithdrawOffer' }, createChildContext(context, id));
  }
}

function toCartOfBuyer({ id, buyer }: CartDocument): CartOfBuyer {
  return { id, buyerId: buyer!.id };
}
