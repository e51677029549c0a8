import { createJsonBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import {
  addEntry,
  type EntrySearch,
  findEntry,
  mayHaveDropped,
  NO_RECENT_ENTRIES,
  type RecentEntries,
} from '../../kernel/recent-entries.js';
import { Rejection } from '../../kernel/rejection.js';

interface BalanceOwner {
  readonly businessId: string;
  readonly currency: string;
}

export interface CreditedSale extends BalanceOwner {
  readonly paymentId: string;
  readonly amountCents: number;
  readonly feeCents: number;
}

/** `feeCents`: the fee of its payment, unless another refund of the payment brings it. */
export interface RefundReservation extends BalanceOwner {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amountCents: number;
  readonly feeCents: number;
}

/** The end of a reservation. `feeChangeCents`: the fee of the payment, when no refund of the payment is left. */
export interface RefundRelease extends Omit<RefundReservation, 'feeCents'> {
  readonly feeChangeCents: number;
}

/** A change by a dispute: negative when it is opened and for its fees, positive when it is won. */
export interface DisputeBooking extends BalanceOwner {
  /** The id of the event of the payment that causes the change. */
  readonly causeId: string;
  readonly disputeId: string;
  readonly paymentId: string;
  readonly changeCents: number;
}

/** `paidAt` is the time of the business, `at` is real time. */
export interface Payout extends BalanceOwner {
  readonly payoutId: string;
  readonly amountCents: number;
  readonly paidAt: string;
}

/** `at` is real time, also in test mode: the entries are in the order of the log. */
export type SellerBalanceEvent =
  | Fact<'SaleCredited', CreditedSale & { netCents: number; at: string }>
  | Fact<'RefundReserved', RefundReservation & { at: string }>
  | Fact<'ReservationRefused', RefundReservation & { at: string }>
  | Fact<'ReservationReleased', RefundRelease & { at: string }>
  | Fact<'DisputeBooked', DisputeBooking & { at: string }>
  | Fact<'PayoutPaid', Payout & { at: string }>;

type BalanceEntry = readonly [id: string, at: string, type: SellerBalanceEvent['type']];

/**
 * The net amount of the sales less refunds, payouts and disputes that are not won. A dispute can
 * make it negative. `refundedFeesCents`: the fees of all payments with a refund. The state remembers only the latest entries.
 */
export interface SellerBalance extends RecentEntries<BalanceEntry> {
  readonly amountCents: number;
  readonly refundedFeesCents: number;
  readonly entries: number;
}

function evolve(balance: SellerBalance, event: SellerBalanceEvent): SellerBalance {
  const { amountCents, feesCents } = toBalanceChange(event);
  return {
    amountCents: balance.amountCents + amountCents,
    refundedFeesCents: balance.refundedFeesCents + feesCents,
    entries: balance.entries + 1,
    ...addEntry(balance, [entryIdOf(event), event.data.at, event.type] as const),
  };
}

function toBalanceChange({ type, data }: SellerBalanceEvent): {
  readonly amountCents: number;
  readonly feesCents: number;
} {
  switch (type) {
    case 'SaleCredited':
      return { amountCents: data.netCents, feesCents: 0 };
    case 'RefundReserved':
      return { amountCents: -data.amountCents, feesCents: data.feeCents };
    case 'ReservationRefused':
      return { amountCents: 0, feesCents: 0 };
    case 'ReservationReleased':
      return { amountCents: data.amountCents, feesCents: data.feeChangeCents };
    case 'DisputeBooked':
      return { amountCents: data.changeCents, feesCents: 0 };
    case 'PayoutPaid':
      return { amountCents: -data.amountCents, feesCents: 0 };
  }
}

export function entryIdOf({ type, data }: SellerBalanceEvent): string {
  switch (type) {
    case 'SaleCredited':
      return data.paymentId;
    case 'RefundReserved':
    case 'ReservationRefused':
    case 'ReservationReleased':
      return data.refundId;
    case 'DisputeBooked':
      return data.causeId;
    case 'PayoutPaid':
      return data.payoutId;
  }
}

export interface SaleToCredit extends EntrySearch {
  readonly sale: CreditedSale;
}

/** A command records nothing when it may be recorded already: the caller then searches the stream and repeats it. */
export type SellerBalanceCommand =
  | { readonly type: 'CreditSales'; readonly sales: readonly SaleToCredit[] }
  | { readonly type: 'ReserveRefund'; readonly refund: RefundReservation; readonly search: EntrySearch }
  | { readonly type: 'ReleaseReservation'; readonly release: RefundRelease; readonly search: EntrySearch }
  | { readonly type: 'BookDispute'; readonly booking: DisputeBooking; readonly search: EntrySearch }
  | { readonly type: 'PayOut'; readonly payout: Payout; readonly search: EntrySearch };

function decide(
  command: SellerBalanceCommand,
  balance: SellerBalance,
  { now: at }: DecisionContext,
): readonly SellerBalanceEvent[] {
  if (command.type === 'CreditSales') return credit(command.sales, balance, at);
  if (mayHaveDropped(balance, balance.entries, command.search)) return [];

  switch (command.type) {
    case 'ReserveRefund':
      return findEntryType(balance, command.refund.refundId) === undefined
        ? [reserve(command.refund, balance, at)]
        : [];
    case 'ReleaseReservation':
      return findEntryType(balance, command.release.refundId) === 'ReservationReleased'
        ? []
        : [{ type: 'ReservationReleased', data: { ...command.release, at } }];
    case 'BookDispute':
      return findEntryType(balance, command.booking.causeId) === undefined
        ? [{ type: 'DisputeBooked', data: { ...command.booking, at } }]
        : [];
    case 'PayOut':
      return findEntryType(balance, command.payout.payoutId) === undefined ? [payOut(command.payout, balance, at)] : [];
  }
}

function credit(sales: readonly SaleToCredit[], balance: SellerBalance, at: string): readonly SellerBalanceEvent[] {
  const byPayment = new Map(sales.map((wanted) => [wanted.sale.paymentId, wanted]));
  return [...byPayment.values()]
    .filter(
      (request) =>
        findEntryType(balance, request.sale.paymentId) === undefined &&
        !mayHaveDropped(balance, balance.entries, request),
    )
    .map(({ sale }) => ({ type: 'SaleCredited', data: { ...sale, netCents: sale.amountCents - sale.feeCents, at } }));
}

/** The fees of payments are not returned to the seller, and do not prevent refunds. */
function reserve(refund: RefundReservation, balance: SellerBalance, at: string): SellerBalanceEvent {
  const limitCents = balance.amountCents + balance.refundedFeesCents + refund.feeCents;
  const type = refund.amountCents <= limitCents ? 'RefundReserved' : 'ReservationRefused';
  return { type, data: { ...refund, at } };
}

function payOut(payout: Payout, balance: SellerBalance, at: string): SellerBalanceEvent {
  if (payout.amountCents > balance.amountCents)
    throw new Rejection('insufficient_seller_balance', `The balance is ${balance.amountCents}.`, 'amount_cents');
  return { type: 'PayoutPaid', data: { ...payout, at } };
}

/** Returns the latest entry of a payment, refund, event of a dispute or payout, if the balance remembers it. */
export function findEntryType(balance: SellerBalance, id: string): SellerBalanceEvent['type'] | undefined {
  return findEntry(balance, id)?.[2];
}

export const sellerBalanceDecider: Decider<SellerBalance, SellerBalanceCommand, SellerBalanceEvent> = {
  category: 'sellerBalance',
  versions: {
    SaleCredited: 1,
    RefundReserved: 1,
    ReservationRefused: 1,
    ReservationReleased: 1,
    DisputeBooked: 1,
    PayoutPaid: 1,
  },
  unbounded: true,
  baseline: createJsonBaseline(4),
  initial: { amountCents: 0, refundedFeesCents: 0, entries: 0, ...NO_RECENT_ENTRIES },
  evolve,
  decide,
};

/** Each business, mode and currency has its own balance. */
export function sellerBalanceIdOf(businessId: string, mode: Mode, currency: string): string {
  return `${businessId}-${mode}-${currency}`;
}
