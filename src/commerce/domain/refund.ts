import type { Fact } from '../../kernel/event.js';
import type { Buyer } from './buyer.js';

export const REFUND_REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', 'service_issue', 'other'] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

/** The data that every event of a refund repeats: the ids of all documents that the event changes, and the amount. */
export interface RefundFacts {
  readonly refundId: string;
  readonly paymentId: string;
  readonly orderId: string;
  readonly invoiceId: string;
  readonly businessId: string;
  readonly buyer: Buyer;
  readonly amountCents: number;
  readonly currency: string;
}

/**
 * A refund as the payment accepted it. `feeCents` is the fee of the payment when the payment has no other refund, else
 * 0: the seller's balance adds it once to the amount that it can refund.
 */
export interface RequestedRefund extends RefundFacts {
  readonly subscriptionId: string | null;
  readonly reason: RefundReason | null;
  readonly note: string | null;
  readonly feeCents: number;
}

/**
 * The amounts that return to the seller when a refund ends without success. `feeChangeCents` corrects the fees that the
 * balance adds: it is negative when no refund of the payment is left. `fundsReleased`: the seller has the funds of the
 * payment.
 */
export interface ReturnedRefund extends RefundFacts {
  readonly feeChangeCents: number;
  readonly fundsReleased: boolean;
  readonly at: string;
}

/** `reversed`: the refund had succeeded before. */
type RefundFailure = ReturnedRefund & { readonly code: string; readonly detail: string; readonly reversed: boolean };

/** The events of a refund, in the stream of its payment. The seller's balance refuses a rejected refund. */
export type RefundEvent =
  | Fact<'RefundRequested', RequestedRefund & { fundsReleased: boolean; at: string }>
  | Fact<'RefundRejected', ReturnedRefund>
  | Fact<'RefundUnsettled', RefundFacts & { outcome: 'pending' | 'unknown'; checkAt: string; at: string }>
  | Fact<'RefundSucceeded', RefundFacts & { gatewayReference: string; at: string }>
  | Fact<'RefundFailed', RefundFailure>;

/** The events that change the refunded amount of a buyer. */
export type RefundOutcome = Extract<RefundEvent, { type: 'RefundSucceeded' | 'RefundFailed' }>;

/** Returns the change of the refunded amount: a failure changes it only when the refund had succeeded before. */
export function toRefundedCents(data: RefundOutcome['data']): number {
  if (!('reversed' in data)) return data.amountCents;
  return data.reversed ? -data.amountCents : 0;
}

export const REFUND_EVENT_VERSIONS = {
  RefundRequested: 1,
  RefundRejected: 1,
  RefundUnsettled: 1,
  RefundSucceeded: 1,
  RefundFailed: 1,
} as const;

export type Refund =
  | { readonly status: 'requested' | 'unsettled' | 'succeeded'; readonly requested: RequestedRefund }
  | { readonly status: 'rejected'; readonly requested: RequestedRefund; readonly end: ReturnedRefund }
  | { readonly status: 'failed'; readonly requested: RequestedRefund; readonly end: RefundFailure };

/** The refunds of a payment. `countedFeeCents`: the fees that the seller's balance adds when all steps are done. */
export interface Refunds {
  readonly list: readonly Refund[];
  readonly countedFeeCents: number;
}

export const NO_REFUNDS: Refunds = { list: [], countedFeeCents: 0 };

export function evolveRefunds({ list, countedFeeCents }: Refunds, event: RefundEvent): Refunds {
  const { refundId } = event.data;
  const replace = (toNext: (refund: Refund) => Refund) =>
    list.map((refund) => (refund.requested.refundId === refundId ? toNext(refund) : refund));
  switch (event.type) {
    case 'RefundRequested':
      return {
        list: [...list, { status: 'requested', requested: event.data }],
        countedFeeCents: countedFeeCents + event.data.feeCents,
      };
    case 'RefundUnsettled':
      return { list: replace(({ requested }) => ({ status: 'unsettled', requested })), countedFeeCents };
    case 'RefundSucceeded':
      return { list: replace(({ requested }) => ({ status: 'succeeded', requested })), countedFeeCents };
    case 'RefundRejected':
      return {
        list: replace(({ requested }) => ({ status: 'rejected', requested, end: event.data })),
        countedFeeCents: countedFeeCents - findRefund(list, refundId)!.requested.feeCents + event.data.feeChangeCents,
      };
    case 'RefundFailed':
      return {
        list: replace(({ requested }) => ({ status: 'failed', requested, end: event.data })),
        countedFeeCents: countedFeeCents + event.data.feeChangeCents,
      };
  }
}

export function findRefund(list: readonly Refund[], refundId: string): Refund | undefined {
  return list.find(({ requested }) => requested.refundId === refundId);
}

/** Returns the amount of the refunds that the buyer has received or may receive. */
export function sumRefunds(list: readonly Refund[]): number {
  return list.filter(isActive).reduce((sum, { requested }) => sum + requested.amountCents, 0);
}

/** A rejected or failed refund takes nothing from its payment. */
export function isActive({ status }: Refund): boolean {
  return status !== 'rejected' && status !== 'failed';
}
