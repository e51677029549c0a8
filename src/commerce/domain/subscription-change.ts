import type { DecisionContext } from '../../kernel/decider.js';
import { Rejection } from '../../kernel/rejection.js';
import { MAX_CENTS } from './money.js';
import type { Plan } from './payment-plan.js';
import type { PendingChange, SubscriptionEvent } from './subscription-events.js';
import type { ActiveSubscription, KnownSubscription } from './subscription-state.js';
import type { SubscriptionTerms } from './subscription-terms.js';

/** `plan` is the current plan of the product `productId`. */
export interface ChangePlan {
  readonly type: 'ChangePlan';
  readonly productId: string;
  readonly plan: Plan;
}

export interface ChangePrice {
  readonly type: 'ChangePrice';
  readonly amountCents: number;
  /** Null: the currency of the subscription. */
  readonly currency: string | null;
}

/** The current plan withdraws the pending change. */
export function changePlan(
  { productId, plan }: ChangePlan,
  subscription: KnownSubscription,
  x: DecisionContext,
): SubscriptionEvent[] {
  const { agreement } = subscription;
  const isCurrent = plan.planId === agreement.terms.planId;
  const to = isCurrent ? agreement.terms : toTerms(productId, plan, subscription);
  const isPending = agreement.change?.kind === 'plan' && agreement.change.to.planId === plan.planId;
  return schedule({ kind: 'plan', to, isCurrent, isPending }, subscription, x);
}

/** The current price withdraws the pending change. */
export function changePrice(
  { amountCents, currency }: ChangePrice,
  subscription: KnownSubscription,
  x: DecisionContext,
): SubscriptionEvent[] {
  const { terms, change, start } = subscription.agreement;
  if (currency !== null && currency !== start.currency) {
    const detail = `The currency of the subscription is ${start.currency}.`;
    throw new Rejection('currency_mismatch', detail, 'currency');
  }
  const isCurrent = amountCents === terms.amountCents;
  const isPending = change?.kind === 'price' && change.to.amountCents === amountCents;
  return schedule({ kind: 'price', to: { ...terms, amountCents }, isCurrent, isPending }, subscription, x);
}

export function withdrawChange(subscription: KnownSubscription, at: string): SubscriptionEvent[] {
  const { change } = subscription.agreement;
  if (change === null) throw new Rejection('no_pending_change', 'The subscription has no pending change.');
  assertNoCharge(subscription);
  return endChange(subscription, at);
}

/** Returns the withdrawal of the pending change, if there is one. */
export function endChange({ agreement: { change, start } }: KnownSubscription, at: string): SubscriptionEvent[] {
  if (change === null) return [];
  return [{ type: 'ChangeWithdrawn', data: { subscriptionId: start.subscriptionId, changeId: change.changeId, at } }];
}

/** Returns the new time of the pending change, if there is one. */
export function deferChange(
  { agreement: { change, start } }: KnownSubscription,
  effectiveAt: string | null,
  at: string,
): SubscriptionEvent[] {
  if (change === null || change.effectiveAt === effectiveAt) return [];
  const { subscriptionId } = start;
  return [{ type: 'ChangeDeferred', data: { subscriptionId, changeId: change.changeId, effectiveAt, at } }];
}

/** While the result of a charge is unknown, its terms and its period must not change. */
export function assertNoCharge({ agreement: { renewal } }: KnownSubscription): void {
  if (renewal !== null) throw new Rejection('concurrent_update', 'A charge of the subscription is not settled yet.');
}

function toTerms(productId: string, plan: Plan, { agreement: { start } }: KnownSubscription): SubscriptionTerms {
  const { planId, kind, status, currency, interval, intervalCount } = plan;
  const isAvailable = kind === 'subscription' && status === 'active';
  if (!isAvailable || interval === null || productId !== start.productId || currency !== start.currency)
    throw createUnavailableRejection();
  const amountCents = plan.amountCents * start.quantity;
  if (amountCents > MAX_CENTS)
    throw Rejection.ofField('plan_id', 'amount_too_large', `The amount must not exceed ${MAX_CENTS} minor units.`);
  return { planId, amountCents, interval, intervalCount };
}

function createUnavailableRejection(): Rejection {
  const detail = 'The plan is archived, or its product, currency or kind differs from that of the subscription.';
  return new Rejection('plan_not_available', detail, 'plan_id');
}

interface RequestedChange extends Pick<PendingChange, 'kind' | 'to'> {
  readonly isCurrent: boolean;
  readonly isPending: boolean;
}

function schedule(
  { kind, to, isCurrent, isPending }: RequestedChange,
  subscription: KnownSubscription,
  x: DecisionContext,
): SubscriptionEvent[] {
  const { change, terms: from, start, paidUntil: effectiveAt } = subscription.agreement;
  if (isCurrent && change === null) throw new Rejection('no_change', `The subscription already has this ${kind}.`);
  assertChangeable(subscription);
  if (isCurrent) return endChange(subscription, x.now);
  if (isPending) return [];

  const { subscriptionId, businessId, currency } = start;
  const [changeId, at] = [x.createId('psc'), x.now];
  const scheduled = { subscriptionId, businessId, changeId, kind, from, to, currency, effectiveAt, at };
  return [...supersede(change, changeId, subscriptionId, at), { type: 'ChangeScheduled', data: scheduled }];
}

function supersede(
  change: PendingChange | null,
  supersededBy: string,
  subscriptionId: string,
  at: string,
): SubscriptionEvent[] {
  if (change === null) return [];
  return [{ type: 'ChangeSuperseded', data: { subscriptionId, changeId: change.changeId, supersededBy, at } }];
}

function assertChangeable(subscription: KnownSubscription): asserts subscription is ActiveSubscription {
  if (subscription.status !== 'active')
    throw new Rejection('subscription_not_active', `The subscription is ${subscription.status}.`);
  if (subscription.cancellation !== null) throw createCancellingRejection();
  assertNoCharge(subscription);
}

export function createCancellingRejection(): Rejection {
  return new Rejection('subscription_cancelling', 'The subscription ends with its paid period.');
}
