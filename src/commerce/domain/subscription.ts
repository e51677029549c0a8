import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { calculatePeriodEnd, type Cycle, findAnchorDay } from './billing-period.js';
import type { Buyer } from './buyer.js';

/** The data of a new subscription. Each renewal bills `amountCents`. */
export interface SubscriptionStart extends Cycle {
  readonly subscriptionId: string;
  readonly businessId: string;
  readonly orderId: string;
  readonly lineItemId: string;
  readonly productId: string;
  readonly planId: string;
  readonly buyer: Buyer;
  readonly amountCents: number;
  readonly currency: string;
  readonly methodToken: string | null;
  readonly startedAt: string;
}

export type SubscriptionEvent = Fact<
  'SubscriptionStarted',
  SubscriptionStart & { anchorDay: number; nextBillingAt: string; at: string }
>;

export type Subscription =
  | { readonly status: 'unknown' }
  | {
      readonly status: 'active';
      readonly start: SubscriptionStart;
      readonly anchorDay: number;
      readonly nextBillingAt: string;
    };

function evolve(
  _: Subscription,
  { data: { anchorDay, nextBillingAt, at: __, ...start } }: SubscriptionEvent,
): Subscription {
  return { status: 'active', start, anchorDay, nextBillingAt };
}

export type SubscriptionCommand = { readonly type: 'StartSubscription'; readonly start: SubscriptionStart };

function decide(
  { start }: SubscriptionCommand,
  subscription: Subscription,
  { now }: DecisionContext,
): readonly SubscriptionEvent[] {
  if (subscription.status !== 'unknown') return [];
  const anchorDay = findAnchorDay(start.startedAt);
  const nextBillingAt = calculatePeriodEnd(start.startedAt, start, anchorDay);
  return [{ type: 'SubscriptionStarted', data: { ...start, anchorDay, nextBillingAt, at: now } }];
}

export const subscriptionDecider: Decider<Subscription, SubscriptionCommand, SubscriptionEvent> = {
  category: 'subscription',
  versions: { SubscriptionStarted: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
