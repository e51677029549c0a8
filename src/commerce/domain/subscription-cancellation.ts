import { Rejection } from '../../kernel/rejection.js';
import { endChange } from './subscription-change.js';
import type { SubscriptionEvent } from './subscription-events.js';
import type { ActiveSubscription, Cancellation, KnownSubscription, PausedSubscription } from './subscription-state.js';

export const CANCELLATION_MODES = ['at_period_end', 'immediately'] as const;

export interface CancelSubscription {
  readonly type: 'CancelSubscription';
  readonly mode: (typeof CANCELLATION_MODES)[number];
  readonly reason: string | null;
}

/** A subscription without a paid period that still runs ends at once in both modes. */
export function cancel(
  { mode, reason }: CancelSubscription,
  subscription: KnownSubscription,
  at: string,
): SubscriptionEvent[] {
  if (subscription.status === 'cancelled')
    throw new Rejection('subscription_already_cancelled', 'The subscription is cancelled already.');

  const scheduled = findCancellation(subscription);
  const periodEnd = findPeriodEnd(subscription);
  if (mode === 'immediately' || subscription.status === 'past_due' || periodEnd <= at)
    return end({ at, reason: reason ?? scheduled?.reason ?? null }, subscription, at);
  if (scheduled !== null) return [];
  return scheduleEnd({ at: periodEnd, reason }, subscription, at);
}

export function revokeCancellation(subscription: KnownSubscription, at: string): SubscriptionEvent[] {
  const cancellation = findCancellation(subscription);
  if (cancellation === null || cancellation.at <= at)
    throw new Rejection('no_scheduled_cancellation', 'No cancellation of the subscription is scheduled.');
  const { start, paidUntil } = subscription.agreement;
  const nextBillingAt = subscription.status === 'active' ? paidUntil : null;
  const resumesAt = subscription.status === 'paused' ? subscription.resumesAt : null;
  const { subscriptionId } = start;
  return [{ type: 'CancellationRevoked', data: { subscriptionId, nextBillingAt, resumesAt, at } }];
}

/** Ends the subscription at its scheduled time. */
export function endAsScheduled(cancelAt: string, subscription: KnownSubscription, at: string): SubscriptionEvent[] {
  const cancellation = findCancellation(subscription);
  return cancellation?.at === cancelAt && cancelAt <= at ? end(cancellation, subscription, at) : [];
}

/** Ends the subscription. Its pending change is withdrawn. */
function end(cancellation: Cancellation, subscription: KnownSubscription, at: string): SubscriptionEvent[] {
  const { renewal, openInvoice } = subscription.agreement;
  const openInvoiceId = renewal === null ? (openInvoice?.invoiceId ?? null) : null;
  return [...endChange(subscription, at), toCancelled(cancellation, subscription, openInvoiceId, at)];
}

export function toCancelled(
  { at: cancelAt, reason }: Cancellation,
  { agreement: { start } }: KnownSubscription,
  openInvoiceId: string | null,
  at: string,
): SubscriptionEvent {
  const { subscriptionId } = start;
  return { type: 'SubscriptionCancelled', data: { subscriptionId, cancelAt, reason, openInvoiceId, at } };
}

function findCancellation(subscription: KnownSubscription): Cancellation | null {
  return subscription.status === 'active' || subscription.status === 'paused' ? subscription.cancellation : null;
}

/** While a renewal is charged, the period that it pays for is the current one. */
function findPeriodEnd({ agreement: { renewal, paidUntil } }: KnownSubscription): string {
  return renewal?.kind === 'renewal' ? renewal.periodEnd : paidUntil;
}

/** A change whose terms are being charged stays pending until the result of the charge is known. */
function scheduleEnd(
  { at: cancelAt, reason }: Cancellation,
  subscription: ActiveSubscription | PausedSubscription,
  at: string,
): SubscriptionEvent[] {
  const { start, renewal } = subscription.agreement;
  const isCharged = renewal !== null && renewal.changeId !== null;
  const { subscriptionId } = start;
  return [
    ...(isCharged ? [] : endChange(subscription, at)),
    { type: 'CancellationScheduled', data: { subscriptionId, cancelAt, reason, at } },
  ];
}
