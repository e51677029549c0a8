import { type Fact, type RecordedEvent, typesOf } from '../../kernel/event.js';
import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import type { Projection } from '../../kernel/projection.js';
import type { InstallmentPlanEvent } from '../domain/installment-plan-events.js';
import type { OfferEvent } from '../domain/offer.js';
import type { OrderEvent } from '../domain/order.js';
import type { PaymentEvent } from '../domain/payment.js';
import type { SubscriptionEvent } from '../domain/subscription-events.js';

/** The noun whose timer an event changes, and the business time at which it falls due; null ends the timer. */
interface TimerChange {
  readonly id: string;
  readonly due: string | null;
}

type TimerChanges<E extends Fact> = {
  readonly [T in E['type']]?: (data: Extract<E, { readonly type: T }>['data']) => TimerChange | null;
};

/**
 * The timers by kind, with the events that start, move or end one. A noun has at most one timer of a kind. Raise the
 * version of the projection when this table changes.
 */
export const TIMERS = {
  funds: timerOf<PaymentEvent>({
    PaymentSucceeded: ({ paymentId, fundsAt }) => ({ id: paymentId, due: fundsAt }),
    FundsReleased: ({ paymentId }) => ({ id: paymentId, due: null }),
  }),
  // It ends with the last step of its run, so that a run after a crash finishes what was charged.
  settlement: timerOf<PaymentEvent | OrderEvent | SubscriptionEvent | InstallmentPlanEvent>({
    PaymentUnsettled: ({ paymentId, checkAt }) => ({ id: paymentId, due: checkAt }),
    OrderCompleted: endOfPayment,
    OrderFailed: endOfPayment,
    SubscriptionRenewed: endOfPayment,
    RenewalFailed: endOfPayment,
    ResumeFailed: endOfPayment,
    InstallmentPaid: endOfPayment,
    InstallmentFailed: endOfPayment,
  }),
  refund: timerOf<PaymentEvent>({
    RefundUnsettled: (refund) => ({ id: toRefundTimerId(refund), due: refund.checkAt }),
    RefundSucceeded: (refund) => ({ id: toRefundTimerId(refund), due: null }),
    RefundFailed: (refund) => ({ id: toRefundTimerId(refund), due: null }),
  }),
  renewal: timerOf<SubscriptionEvent>({
    SubscriptionStarted: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    SubscriptionRenewed: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    RenewalFailed: ({ subscriptionId, nextRetryAt }) => ({ id: subscriptionId, due: nextRetryAt }),
    SubscriptionPaused: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    SubscriptionResumed: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    CancellationScheduled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    CancellationRevoked: ({ subscriptionId, nextBillingAt }) => ({ id: subscriptionId, due: nextBillingAt }),
    SubscriptionCancelled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
  }),
  installment: timerOf<InstallmentPlanEvent>({
    InstallmentPlanStarted: ({ installmentPlanId, nextDueAt }) => ({ id: installmentPlanId, due: nextDueAt }),
    InstallmentPaid: ({ installmentPlanId, nextDueAt, at }) => ({
      id: installmentPlanId,
      due: nextDueAt === null || nextDueAt > at ? nextDueAt : at,
    }),
    InstallmentFailed: ({ installmentPlanId, nextRetryAt }) => ({ id: installmentPlanId, due: nextRetryAt }),
  }),
  resumption: timerOf<SubscriptionEvent>({
    SubscriptionPaused: ({ subscriptionId, resumesAt }) => ({ id: subscriptionId, due: resumesAt }),
    SubscriptionResumed: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    RenewalFailed: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    CancellationScheduled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    CancellationRevoked: ({ subscriptionId, resumesAt }) => ({ id: subscriptionId, due: resumesAt }),
    SubscriptionCancelled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
  }),
  cancellation: timerOf<SubscriptionEvent>({
    CancellationScheduled: ({ subscriptionId, cancelAt }) => ({ id: subscriptionId, due: cancelAt }),
    CancellationRevoked: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
    SubscriptionCancelled: ({ subscriptionId }) => ({ id: subscriptionId, due: null }),
  }),
  offer: timerOf<OfferEvent>({
    OfferCreated: ({ offerId, expiresAt }) => ({ id: offerId, due: expiresAt }),
    OfferReserved: ({ offerId }) => ({ id: offerId, due: null }),
    OfferReleased: ({ offerId, expiresAt }) => ({ id: offerId, due: expiresAt }),
    OfferCancelled: ({ offerId }) => ({ id: offerId, due: null }),
    OfferExpired: ({ offerId }) => ({ id: offerId, due: null }),
  }),
};

/** Nothing due, no payment. */
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

export type TimerKind = keyof typeof TIMERS;

/** A started timer, with the event that caused it. */
export interface Timer extends Owned {
  readonly kind: TimerKind;
  readonly nounId: string;
  readonly due: string;
  readonly eventId: string;
  readonly correlationId: string;
  readonly requestId: string | null;
}

/** The event types that change a timer. */
export const TIMER_EVENT_TYPES = typesOf<Fact>(
  Object.fromEntries(Object.values(TIMERS).flatMap((changes) => Object.entries(changes))),
);

/** Returns the timers that the event starts or moves. */
export function listStartedTimers(event: RecordedEvent): readonly Timer[] {
  return listChanges(event).flatMap((change) => toTimer(change, event) ?? []);
}

export interface TimerDocument extends Timer {
  readonly id: string;
}

/** The timers of test mode, so that setting a test clock finds those that fall due. In live mode, a timer is only a job. */
export const timers: Projection<TimerDocument> = {
  name: 'timers',
  version: 6,
  id: (event) => (event.meta.mode === 'live' ? null : listChanges(event).map(toTimerId)),
  indexes: [[...OWNER_INDEX, 'due']],
  on: Object.fromEntries(TIMER_EVENT_TYPES.map((type) => [type, applyChange])),
};

interface KindChange extends TimerChange {
  readonly kind: TimerKind;
}

function applyChange(_: TimerDocument | null, event: RecordedEvent, id: string): TimerDocument | null {
  const timer = toTimer(
    listChanges(event).find((change) => toTimerId(change) === id)!,
    event,
  );
  return timer && { ...timer, id };
}

function listChanges({ type, data }: RecordedEvent): readonly KindChange[] {
  return Object.entries(TIMERS).flatMap(([kind, changes]) => {
    const change = changes[type]?.(data) ?? null;
    return change === null ? [] : [{ kind: kind as TimerKind, ...change }];
  });
}

function toTimer({ kind, id: nounId, due }: KindChange, { id: eventId, meta }: RecordedEvent): Timer | null {
  const { correlationId, requestId, business, mode } = meta;
  return due === null
    ? null
    : { kind, nounId, due, eventId, correlationId, requestId, _business: business!, _mode: mode };
}

function toTimerId({ kind, id }: KindChange): string {
  return `${kind}:${id}`;
}

function timerOf<E extends Fact>(
  changes: TimerChanges<E>,
): Readonly<Record<string, (data: object) => TimerChange | null>> {
  return changes as Readonly<Record<string, (data: object) => TimerChange | null>>;
}
