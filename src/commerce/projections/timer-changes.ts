import { type Fact, type RecordedEvent, typesOf } from '../../kernel/event.js';
import type { DisputeEvent } from '../domain/dispute.js';
import type { InstallmentPlanEvent } from '../domain/installment-plan-events.js';
import type { OfferEvent } from '../domain/offer.js';
import type { OrderEvent } from '../domain/order.js';
import type { PaymentEvent } from '../domain/payment.js';
import type { RefundEvent } from '../domain/refund.js';
import type { RenewalEvent, SubscriptionChangeEvent, SubscriptionEvent } from '../domain/subscription-events.js';

/** The noun whose timer an event changes, and the business time at which it falls due; null ends the timer. */
interface TimerChange {
  readonly id: string;
  readonly due: string | null;
}

/** A method type, so that changes by different events fit in one list. */
type Change<D extends object> = { change(data: D): TimerChange | null }['change'];

/** Has an entry for each event of `E` that is not ignored: a new event of `E` does not compile before it is one of both. */
type TimerChanges<E extends Fact, Ignored extends E['type']> = {
  readonly [T in Exclude<E['type'], Ignored>]: Change<Extract<E, { readonly type: T }>['data']>;
};

type ChargeEvent = Exclude<PaymentEvent, RefundEvent | DisputeEvent>;

/**
 * The timers by kind, with the events that start, move or end one. A noun has at most one timer of a kind. Raise the
 * version of the projection when this table changes.
 */
const TIMERS = {
  funds: defineTimer<ChargeEvent, 'PaymentStarted' | 'PaymentUnsettled' | 'PaymentFailed'>({
    PaymentSucceeded: ({ paymentId, fundsAt }) => ({ id: paymentId, due: fundsAt }),
    FundsReleased: ({ paymentId }) => ({ id: paymentId, due: null }),
  }),
  dispute: defineTimer<
    ChargeEvent | DisputeEvent,
    'PaymentStarted' | 'PaymentUnsettled' | 'PaymentFailed' | 'FundsReleased' | 'DisputeFeeCharged' | 'DisputeClosed'
  >({
    PaymentSucceeded: ({ paymentId, disputeAt }) =>
      disputeAt === undefined ? null : { id: paymentId, due: disputeAt },
    PaymentDisputed: ({ paymentId }) => ({ id: paymentId, due: null }),
  }),
  // It ends with the last step of its run, so that a run after a crash finishes the charged sale.
  settlement: defineTimer<
    ChargeEvent | OrderEvent | RenewalEvent | InstallmentPlanEvent,
    | 'PaymentStarted'
    | 'PaymentSucceeded'
    | 'PaymentFailed'
    | 'FundsReleased'
    | 'OrderPlaced'
    | 'RenewalStarted'
    | 'InstallmentPlanStarted'
    | 'InstallmentStarted'
    | 'InstallmentPlanCancelled'
    | 'InstallmentMethodChanged'
  >({
    PaymentUnsettled: ({ paymentId, checkAt }) => ({ id: paymentId, due: checkAt }),
    OrderCompleted: endOfPayment,
    OrderFailed: endOfPayment,
    SubscriptionRenewed: endOfPayment,
    RenewalFailed: endOfPayment,
    ResumeFailed: endOfPayment,
    InstallmentPaid: endOfPayment,
    InstallmentFailed: endOfPayment,
  }),
  refund: defineTimer<RefundEvent, 'RefundRequested' | 'RefundRejected'>({
    RefundUnsettled: (refund) => ({ id: toRefundTimerId(refund), due: refund.checkAt }),
    RefundSucceeded: (refund) => ({ id: toRefundTimerId(refund), due: null }),
    RefundFailed: (refund) => ({ id: toRefundTimerId(refund), due: null }),
  }),
  renewal: defineTimer<
    SubscriptionEvent,
    SubscriptionChangeEvent['type'] | 'RenewalStarted' | 'ResumeFailed' | 'PaymentMethodChanged'
  >({
    SubscriptionStarted: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    SubscriptionRenewed: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    RenewalFailed: ({ subscriptionId, nextRetryAt }) => ({ id: subscriptionId, due: nextRetryAt }),
    SubscriptionPaused: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    SubscriptionResumed: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    CancellationScheduled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    CancellationRevoked: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    SubscriptionCancelled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
  }),
  installment: defineTimer<InstallmentPlanEvent, 'InstallmentStarted' | 'InstallmentMethodChanged'>({
    InstallmentPlanStarted: ({ installmentPlanId, nextDueAt }) => ({ id: installmentPlanId, due: nextDueAt }),
    InstallmentPaid: ({ installmentPlanId, nextDueAt, at }) => ({
      id: installmentPlanId,
      due: nextDueAt === null || nextDueAt > at ? nextDueAt : at,
    }),
    InstallmentFailed: ({ installmentPlanId, nextRetryAt }) => ({ id: installmentPlanId, due: nextRetryAt }),
    InstallmentPlanCancelled: ({ installmentPlanId }) => ({ id: installmentPlanId, due: null }),
  }),
  resumption: defineTimer<
    SubscriptionEvent,
    | SubscriptionChangeEvent['type']
    | 'SubscriptionStarted'
    | 'RenewalStarted'
    | 'SubscriptionRenewed'
    | 'ResumeFailed'
    | 'PaymentMethodChanged'
  >({
    SubscriptionPaused: ({ subscriptionId, resumesAt }) => ({ id: subscriptionId, due: resumesAt }),
    SubscriptionResumed: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    RenewalFailed: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    CancellationScheduled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    CancellationRevoked: ({ subscriptionId, resumesAt }) => ({ id: subscriptionId, due: resumesAt }),
    SubscriptionCancelled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
  }),
  cancellation: defineTimer<
    SubscriptionEvent,
    | SubscriptionChangeEvent['type']
    | RenewalEvent['type']
    | 'SubscriptionStarted'
    | 'SubscriptionPaused'
    | 'SubscriptionResumed'
    | 'PaymentMethodChanged'
  >({
    CancellationScheduled: ({ subscriptionId, cancelAt }) => ({ id: subscriptionId, due: cancelAt }),
    CancellationRevoked: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    SubscriptionCancelled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
  }),
  offer: defineTimer<OfferEvent, 'OfferSent' | 'OfferReservationRefused' | 'OfferAccepted'>({
    OfferCreated: ({ offerId, expiresAt }) => ({ id: offerId, due: expiresAt }),
    OfferReserved: ({ offerId }) => ({ id: offerId, due: null }),
    OfferReleased: ({ offerId, expiresAt }) => ({ id: offerId, due: expiresAt }),
    OfferCancelled: ({ offerId }) => ({ id: offerId, due: null }),
    OfferExpired: ({ offerId }) => ({ id: offerId, due: null }),
  }),
};

export type TimerKind = keyof typeof TIMERS;

export type TimerEvent = Extract<
  PaymentEvent | OrderEvent | SubscriptionEvent | InstallmentPlanEvent | OfferEvent,
  { readonly type: { [K in TimerKind]: keyof (typeof TIMERS)[K] }[TimerKind] }
>;

export const TIMER_EVENT_TYPES = typesOf<TimerEvent>(
  Object.assign({}, ...Object.values(TIMERS)) as Readonly<Record<TimerEvent['type'], unknown>>,
);

export interface KindChange extends TimerChange {
  readonly kind: TimerKind;
}

/** Returns the timers that the event starts, moves or ends. */
export function listTimerChanges({ type, data }: RecordedEvent): readonly KindChange[] {
  return Object.entries<Readonly<Record<string, Change<object>>>>(TIMERS).flatMap(([kind, changes]) => {
    const change = changes[type]?.(data) ?? null;
    return change === null ? [] : [{ kind: kind as TimerKind, ...change }];
  });
}

/** Returns null without a payment: then no timer exists. */
function endOfPayment({ paymentId }: { readonly paymentId: string | null }): TimerChange | null {
  return paymentId === null ? null : { id: paymentId, due: null };
}

interface RefundIds {
  readonly paymentId: string;
  readonly refundId: string;
}

/** The stream of the payment holds its refunds. */
function toRefundTimerId({ paymentId, refundId }: RefundIds): string {
  return `${paymentId}:${refundId}`;
}

export function parseRefundTimerId(id: string): RefundIds {
  const [paymentId, refundId] = id.split(':') as [string, string];
  return { paymentId, refundId };
}

function defineTimer<E extends Fact, Ignored extends E['type']>(
  changes: TimerChanges<E, Ignored>,
): TimerChanges<E, Ignored> {
  return changes;
}
