import { createJsonBaseline, type DecisionContext } from '../../kernel/decider.js';
import type { OwnedDecider } from '../../kernel/ownership.js';
import { Rejection } from '../../kernel/rejection.js';
import { calculatePeriodEnd, findAnchorDay } from './billing-period.js';
import {
  type FailRenewal,
  failRenewal,
  type RecordRenewal,
  recordRenewal,
  type StartRenewal,
  startRenewal,
} from './renewal.js';
import { cancel, type CancelSubscription, endAsScheduled, revokeCancellation } from './subscription-cancellation.js';
import { type ChangePlan, changePlan, type ChangePrice, changePrice, withdrawChange } from './subscription-change.js';
import { SUBSCRIPTION_VERSIONS, type SubscriptionEvent, type SubscriptionStart } from './subscription-events.js';
import { pause, type PauseSubscription, resume, type ResumeSubscription } from './subscription-pause.js';
import { evolve, type KnownSubscription, type Subscription } from './subscription-state.js';

export type SubscriptionCommand =
  | { readonly type: 'StartSubscription'; readonly start: SubscriptionStart }
  | ChangePlan
  | ChangePrice
  | { readonly type: 'WithdrawChange' }
  | PauseSubscription
  | ResumeSubscription
  | CancelSubscription
  | { readonly type: 'RevokeCancellation' }
  | { readonly type: 'EndSubscription'; readonly cancelAt: string }
  | { readonly type: 'ChangePaymentMethod'; readonly methodToken: string }
  | StartRenewal
  | RecordRenewal
  | FailRenewal;

function decide(
  command: SubscriptionCommand,
  subscription: Subscription,
  x: DecisionContext,
): readonly SubscriptionEvent[] {
  if (command.type === 'StartSubscription')
    return subscription.status === 'unknown' ? [toStarted(command.start, x.now)] : [];
  if (subscription.status === 'unknown') throw Rejection.notFound();

  switch (command.type) {
    case 'ChangePlan':
      return changePlan(command, subscription, x);
    case 'ChangePrice':
      return changePrice(command, subscription, x);
    case 'WithdrawChange':
      return withdrawChange(subscription, x.now);
    case 'PauseSubscription':
      return pause(command, subscription, x.now);
    case 'ResumeSubscription':
      return resume(command, subscription, x.now);
    case 'CancelSubscription':
      return cancel(command, subscription, x.now);
    case 'RevokeCancellation':
      return revokeCancellation(subscription, x.now);
    case 'EndSubscription':
      return endAsScheduled(command.cancelAt, subscription, x.now);
    case 'ChangePaymentMethod':
      return changePaymentMethod(command.methodToken, subscription, x.now);
    case 'StartRenewal':
      return startRenewal(command, subscription, x.now);
    case 'RecordRenewal':
      return recordRenewal(command, subscription, x.now);
    case 'FailRenewal':
      return failRenewal(command, subscription, x.now);
  }
}

function toStarted(start: SubscriptionStart, at: string): SubscriptionEvent {
  const anchorDay = findAnchorDay(start.startedAt);
  const nextBillingAt = calculatePeriodEnd(start.startedAt, start, anchorDay);
  return { type: 'SubscriptionStarted', data: { ...start, anchorDay, nextBillingAt, at } };
}

function changePaymentMethod(
  methodToken: string,
  { status, agreement }: KnownSubscription,
  at: string,
): SubscriptionEvent[] {
  if (status === 'cancelled')
    throw new Rejection('subscription_already_cancelled', 'The subscription is cancelled already.');
  const { subscriptionId } = agreement.start;
  return methodToken === agreement.methodToken
    ? []
    : [{ type: 'PaymentMethodChanged', data: { subscriptionId, methodToken, at } }];
}

export const subscriptionDecider: OwnedDecider<
  Subscription,
  SubscriptionCommand,
  SubscriptionEvent,
  KnownSubscription
> = {
  category: 'subscription',
  clock: 'business',
  versions: SUBSCRIPTION_VERSIONS,
  baseline: createJsonBaseline(1),
  initial: { status: 'unknown' },
  isKnown: (subscription) => subscription.status !== 'unknown',
  ownerOf: ({ agreement: { start } }) => ({ business: start.businessId, mode: start.mode }),
  evolve,
  decide,
};
