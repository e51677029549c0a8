import { Injectable } from '@nestjs/common';
import { enterOnce, findEarlierEvent, isUpTo } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';
import { MAX_CLOCK_SKEW_MS, toIso } from '../../kernel/clock.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent, RecordedOf } from '../../kernel/event.js';
import type { EntrySearch } from '../../kernel/recent-entries.js';
import {
  type DisputeBooking,
  entryIdOf,
  type Payout,
  type RefundRelease,
  type RefundReservation,
  type SellerBalanceCommand,
  sellerBalanceDecider,
  type SellerBalanceEvent,
  sellerBalanceIdOf,
} from '../domain/seller-balance.js';

type EntryType = SellerBalanceEvent['type'];
type RecordedEntry = RecordedOf<SellerBalanceEvent>;

/** An entry that the balance may have already. */
interface WantedEntry {
  readonly id: string;
  readonly types: readonly EntryType[];
  /** The time of its cause: no run can have recorded the entry before. */
  readonly since: string;
  readonly isTooOld: (event: RecordedEvent) => boolean;
}

/** Reserves refunds, releases reservations, books disputes and pays out: each once. */
@Injectable()
export class SellerBalances {
  constructor(private readonly streams: Streams) {}

  /**
   * Reserves the amount. Returns false when the balance refuses it; a later reservation of the same refund is refused
   * too.
   */
  async reserve(refund: RefundReservation, requested: RecordedEvent, context: Context): Promise<boolean> {
    const entry = createEntry(refund.refundId, ['RefundReserved', 'ReservationRefused'], requested);
    const { type } = await this.enter(refund, entry, (search) => ({ type: 'ReserveRefund', refund, search }), context);
    return type !== 'ReservationRefused';
  }

  /** @param ended the event that ended the refund without success */
  async release(release: RefundRelease, ended: RecordedEvent, context: Context): Promise<void> {
    const entry = createEntry(release.refundId, ['ReservationReleased'], ended);
    await this.enter(release, entry, (search) => ({ type: 'ReleaseReservation', release, search }), context);
  }

  async bookDispute(booking: DisputeBooking, cause: RecordedEvent, context: Context): Promise<void> {
    const entry = createEntry(booking.causeId, ['DisputeBooked'], cause);
    await this.enter(booking, entry, (search) => ({ type: 'BookDispute', booking, search }), context);
  }

  /** @throws Rejection, when the balance is too low */
  payOut(payout: Payout, context: Context): Promise<RecordedEvent> {
    const oldest = toIso(context.at - MAX_CLOCK_SKEW_MS);
    const isTooOld = ({ meta }: RecordedEvent) => meta.at < oldest;
    const entry = { id: payout.payoutId, types: ['PayoutPaid'], since: toIso(context.at), isTooOld } as const;
    return this.enter(payout, entry, (search) => ({ type: 'PayOut', payout, search }), context);
  }

  private enter(
    { businessId, currency }: { readonly businessId: string; readonly currency: string },
    { id, types, since, isTooOld }: WantedEntry,
    toCommand: (search: EntrySearch) => SellerBalanceCommand,
    context: Context,
  ): Promise<RecordedEntry> {
    const balance = sellerBalanceIdOf(businessId, context.mode, currency);
    const isWanted = (event: RecordedEntry) => entryIdOf(event) === id && types.includes(event.type);
    const enter = async (searched: number) => {
      const command = toCommand({ since, searched });
      const { recorded, state } = await this.streams.execute(sellerBalanceDecider, balance, command, context);
      return { entry: recorded[0] as RecordedEntry | undefined, count: state.entries };
    };
    return enterOnce(enter, () => findEarlierEvent(this.streams, sellerBalanceDecider, balance, isTooOld, isWanted));
  }
}

function createEntry(id: string, types: readonly EntryType[], cause: RecordedEvent): WantedEntry {
  return { id, types, since: cause.meta.at, isTooOld: isUpTo(cause) };
}
