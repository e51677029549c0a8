import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  id,
  KIND,
  nullable,
  object,
  ref,
  resource,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import { CHANGE_KINDS, type SubscriptionEvent } from '../domain/subscription-events.js';
import { centsSchema, HIDDEN_BUYER_PATH, resourceFields, toResourceValues } from './resources.js';

/** The plan is there even when no recorded fact names it. */
export const subscribedPlanSchema = object({
  object: describe(enumOf('payment_plan'), KIND),
  id: describe(nullable(id('plan')), 'The id of the payment plan; null when it is unknown.'),
});

const pendingChangeSchema = object({
  id: describe(id('psc'), 'The id of the change.'),
  type: describe(
    enumOf(...CHANGE_KINDS),
    'Whether the plan and its price change (`plan`), or the price alone (`price`).',
  ),
  plan: describe(nullable(subscribedPlanSchema), 'The next payment plan; null for a change of the price.'),
  amount_cents: describe(centsSchema, 'The next price of one period before the discount, in cents.'),
  currency,
  effective_at: describe(
    nullable(dateTime),
    'The time of the renewal that is to apply the change; null while the subscription is paused.',
  ),
  created_at: describe(dateTime, 'The time at which the change was requested.'),
});

export const SUBSCRIPTION_STATUSES = ['active', 'past_due', 'paused', 'cancelled'] as const;

export const subscriptionFields = {
  ...resourceFields('subscription', 'ps'),
  status: describe(
    enumOf(...SUBSCRIPTION_STATUSES),
    'Whether the subscription is charged (`active`), waits for a retry after a failed charge (`past_due`), is not charged for a time (`paused`), or has ended (`cancelled`).',
  ),
  order: describe(ref('order', 'ord'), 'The order that started the subscription.'),
  line_item: describe(ref('line_item', 'li'), 'The line of the order that started the subscription.'),
  plan: describe(subscribedPlanSchema, 'The payment plan that is billed.'),
  amount_cents: describe(centsSchema, 'The price of one period before the discount, in cents.'),
  currency,
  next_billing_at: describe(
    nullable(dateTime),
    'The time of the next charge or retry; null when none is planned, as in a paused subscription.',
    '2026-02-28T09:30:00.000Z',
  ),
  paused_at: describe(nullable(dateTime), 'The time of the pause; null while the subscription is not paused.'),
  resumes_at: describe(nullable(dateTime), 'The time at which a paused subscription resumes by itself, or null.'),
  cancel_at: describe(nullable(dateTime), 'The time of the scheduled or past end; null when no end is scheduled.'),
  cancelled_at: describe(nullable(dateTime), 'The time at which the subscription ended, or null before that.'),
  cancellation_reason: describe(
    nullable(string),
    'The reason that the cancellation gave, or `payment_failed` after the last retry; null for none.',
    null,
  ),
  pending_change: describe(
    nullable(pendingChangeSchema),
    'The plan or price that the next renewal is to apply, or null.',
  ),
};

export const subscriptionSchema = resource('Subscription', subscriptionFields);

/** The statuses; `ending` when a cancellation is scheduled. */
const STATES = ['active', 'active, ending', 'past_due', 'paused', 'paused, ending', 'cancelled'] as const;
type State = (typeof STATES)[number];

export interface SubscriptionDocument extends DocumentOf<typeof subscriptionSchema>, Owned {
  readonly _state: State;
  readonly _product: string;
  readonly [HIDDEN_BUYER_PATH]: string;
}

type Event<T extends SubscriptionEvent['type']> = EventOf<SubscriptionEvent, T>;

export const subscriptions: Projection<SubscriptionDocument, SubscriptionEvent> = {
  name: 'subscriptions',
  version: 6,
  id: pickId('subscriptionId'),
  ...declareLists(
    [[], ['_state'], ['_state', '_product'], ['_state', 'plan.id'], ['_state', '_product', 'plan.id']],
    [[HIDDEN_BUYER_PATH]],
  ),
  on: {
    SubscriptionStarted: (_, event) => toSubscriptionDocument(event),
    ChangeScheduled: edit<'ChangeScheduled'>((event) => ({ pending_change: toPendingChange(event) })),
    ChangeDeferred: edit<'ChangeDeferred'>(({ data }, { pending_change: change }) => ({
      pending_change: change && { ...change, effective_at: data.effectiveAt },
    })),
    ChangeSuperseded: edit(() => ({ pending_change: null })),
    ChangeWithdrawn: edit(() => ({ pending_change: null })),
    ChangeFailed: edit(() => ({ pending_change: null })),
    PlanChanged: edit<'PlanChanged'>(toChangedTerms),
    PriceChanged: edit<'PriceChanged'>(toChangedTerms),
    RenewalStarted: (subscription) => subscription,
    SubscriptionRenewed: edit<'SubscriptionRenewed'>(({ data }) => ({
      ...IN_PROGRESS,
      next_billing_at: data.nextBillingAt,
    })),
    RenewalFailed: edit<'RenewalFailed'>(({ data }) => ({
      ...IN_PROGRESS,
      status: 'past_due',
      next_billing_at: data.nextRetryAt,
    })),
    ResumeFailed: (subscription) => subscription,
    SubscriptionPaused: edit<'SubscriptionPaused'>(({ data }) => ({
      status: 'paused',
      next_billing_at: null,
      paused_at: data.at,
      resumes_at: data.resumesAt,
    })),
    SubscriptionResumed: edit<'SubscriptionResumed'>(({ data }) => ({
      ...IN_PROGRESS,
      next_billing_at: data.nextBillingAt,
    })),
    CancellationScheduled: edit<'CancellationScheduled'>(({ data }) => ({
      next_billing_at: null,
      cancel_at: data.cancelAt,
      cancellation_reason: data.reason,
    })),
    CancellationRevoked: edit<'CancellationRevoked'>(({ data }) => ({
      next_billing_at: data.nextBillingAt,
      cancel_at: null,
      cancellation_reason: null,
    })),
    SubscriptionCancelled: edit<'SubscriptionCancelled'>(({ data }) => ({
      ...IN_PROGRESS,
      status: 'cancelled',
      next_billing_at: null,
      cancel_at: data.cancelAt,
      cancelled_at: data.at,
      cancellation_reason: data.reason,
    })),
    PaymentMethodChanged: (subscription) => subscription,
  },
};

/** The fields of a subscription that is not paused. */
const IN_PROGRESS = { status: 'active', paused_at: null, resumes_at: null } as const;

/** Returns the states of subscriptions with these statuses, whose end is scheduled or not. */
export function findStates(
  statuses: readonly string[] = SUBSCRIPTION_STATUSES,
  cancelling?: boolean,
): readonly State[] {
  return STATES.filter((state) => {
    const [status, isEnding] = [state.split(',')[0]!, state.endsWith('ending')];
    return statuses.includes(status) && (cancelling ?? isEnding) === isEnding;
  });
}

function toSubscriptionDocument(event: Event<'SubscriptionStarted'>): SubscriptionDocument {
  const { subscriptionId, orderId, lineItemId, productId, planId, buyer, amountCents, currency } = event.data;
  return {
    ...toResourceValues('subscription', subscriptionId, event),
    status: 'active',
    order: toReference('order', orderId),
    line_item: toReference('line_item', lineItemId),
    plan: toSubscribedPlan(planId),
    amount_cents: amountCents,
    currency,
    next_billing_at: event.data.nextBillingAt,
    paused_at: null,
    resumes_at: null,
    cancel_at: null,
    cancelled_at: null,
    cancellation_reason: null,
    pending_change: null,
    _state: 'active',
    _product: productId,
    [HIDDEN_BUYER_PATH]: buyer.id,
  };
}

function edit<T extends SubscriptionEvent['type']>(
  change: (event: Event<T>, subscription: SubscriptionDocument) => Partial<SubscriptionDocument>,
) {
  return (subscription: SubscriptionDocument | null, event: Event<T>): SubscriptionDocument | null => {
    if (subscription === null) return null;
    const changed = { ...subscription, ...change(event, subscription) };
    return { ...changed, _state: toState(changed) };
  };
}

function toState({ status, cancel_at: cancelAt }: SubscriptionDocument): State {
  return cancelAt !== null && (status === 'active' || status === 'paused') ? `${status}, ending` : status;
}

function toPendingChange({ data }: Event<'ChangeScheduled'>): ValueOf<typeof pendingChangeSchema> {
  const { changeId, kind, to, currency, effectiveAt, at } = data;
  return {
    id: changeId,
    type: kind,
    plan: kind === 'plan' ? toSubscribedPlan(to.planId) : null,
    amount_cents: to.amountCents,
    currency,
    effective_at: effectiveAt,
    created_at: at,
  };
}

function toChangedTerms({
  data: { to, nextBillingAt },
}: Event<'PlanChanged' | 'PriceChanged'>): Partial<SubscriptionDocument> {
  const terms = { plan: toSubscribedPlan(to.planId), amount_cents: to.amountCents };
  return { ...terms, next_billing_at: nextBillingAt, pending_change: null };
}

export function toSubscribedPlan(planId: string | null): ValueOf<typeof subscribedPlanSchema> {
  return { object: 'payment_plan', id: planId };
}
