import { Rejection } from '../../kernel/rejection.js';
import { findAnchorDay } from './billing-period.js';
import { startCharge } from './renewal.js';
import { assertNoCharge, createCancellingRejection, deferChange } from './subscription-change.js';
import type { SubscriptionEvent } from './subscription-events.js';
import type { KnownSubscription, PausedSubscription } from './subscription-state.js';

export interface PauseSubscription {
  readonly type: 'PauseSubscription';
  readonly resumesAt: string | null;
  readonly reason: string | null;
}

/** Within the paid period the subscription continues without a charge. After it, a charge for a new period starts. */
export interface ResumeSubscription {
  readonly type: 'ResumeSubscription';
  /** The scheduled time, from a timer that is ignored when it no longer fits; null when a caller asks. */
  readonly resumesAt: string | null;
  /** The active plans of the product. */
  readonly availablePlanIds: readonly string[];
}

export function pause(
  { resumesAt, reason }: PauseSubscription,
  subscription: KnownSubscription,
  at: string,
): SubscriptionEvent[] {
  if (resumesAt !== null && resumesAt <= at)
    throw Rejection.ofField('resumes_at', 'invalid_value', 'resumes_at must be in the future.');
  if (subscription.status !== 'active' || subscription.cancellation !== null)
    throw new Rejection('subscription_not_pausable', 'Only an active subscription that does not end can be paused.');
  assertNoCharge(subscription);
  const { subscriptionId } = subscription.agreement.start;
  return [
    { type: 'SubscriptionPaused', data: { subscriptionId, resumesAt, reason, at } },
    ...deferChange(subscription, null, at),
  ];
}

export function resume(
  { resumesAt, availablePlanIds }: ResumeSubscription,
  subscription: KnownSubscription,
  at: string,
): SubscriptionEvent[] {
  if (resumesAt === null) {
    assertResumable(subscription);
    return continueOrCharge(true, availablePlanIds, subscription, at);
  }
  const fits = subscription.status === 'paused' && subscription.resumesAt === resumesAt && resumesAt <= at;
  if (!fits || subscription.cancellation !== null || subscription.agreement.renewal !== null) return [];
  return continueOrCharge(false, availablePlanIds, subscription, at);
}

function assertResumable(subscription: KnownSubscription): asserts subscription is PausedSubscription {
  if (subscription.status !== 'paused')
    throw new Rejection('subscription_not_paused', 'The subscription is not paused.');
  if (subscription.cancellation !== null) throw createCancellingRejection();
  assertNoCharge(subscription);
}

function continueOrCharge(
  requested: boolean,
  availablePlanIds: readonly string[],
  subscription: PausedSubscription,
  at: string,
): SubscriptionEvent[] {
  const { start, paidUntil } = subscription.agreement;
  if (at < paidUntil)
    return [
      {
        type: 'SubscriptionResumed',
        data: { subscriptionId: start.subscriptionId, nextBillingAt: paidUntil, at },
      },
      ...deferChange(subscription, paidUntil, at),
    ];
  const due = { kind: 'resume', requested, periodStart: at, anchorDay: findAnchorDay(at) } as const;
  return startCharge(due, subscription.agreement, availablePlanIds, at);
}
