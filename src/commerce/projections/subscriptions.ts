import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  nullable,
  object,
  ref,
  resource,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import { CHANGE_KINDS, type SubscriptionEvent } from '../domain/subscription-events.js';
import { centsSchema, resourceFields, toResourceValues } from './resources.js';

/** The plan is there even when no recorded fact names it. */
export const subscribedPlanSchema = object({ object: enumOf('payment_plan'), id: nullable(id('plan')) });

const pendingChangeSchema = object({
  id: id('psc'),
  type: enumOf(...CHANGE_KINDS),
  plan: nullable(subscribedPlanSchema),
  amount_cents: centsSchema,
  currency,
  effective_at: nullable(dateTime),
  created_at: dateTime,
});

export const subscriptionFields = {
  ...resourceFields('subscription', 'ps'),
  status: enumOf('active', 'past_due', 'paused', 'cancelled'),
  order: ref('order', 'ord'),
  line_item: ref('line_item', 'li'),
  plan: subscribedPlanSchema,
  amount_cents: centsSchema,
  currency,
  next_billing_at: nullable(dateTime),
  paused_at: nullable(dateTime),
  resumes_at: nullable(dateTime),
  cancel_at: nullable(dateTime),
  cancelled_at: nullable(dateTime),
  cancellation_reason: nullable(string),
  pending_change: nullable(pendingChangeSchema),
};

export const subscriptionSchema = resource('Subscription', subscriptionFields);

export interface SubscriptionDocument extends DocumentOf<typeof subscriptionSchema>, Owned {}

type Event<T extends SubscriptionEvent['type']> = EventOf<SubscriptionEvent, T>;

export const subscriptions: Projection<SubscriptionDocument, SubscriptionEvent> = {
  name: 'subscriptions',
  version: 3,
  id: pickId('subscriptionId'),
  indexes: [[...OWNER_INDEX, 'created_at']],
  totals: [OWNER_INDEX],
  hourly: [{ group: OWNER_INDEX, times: ['created_at'] }],
  on: {
    SubscriptionStarted: (_, event) => toSubscriptionDocument(event),
    ChangeScheduled: (subscription, event) =>
      subscription && { ...subscription, pending_change: toPendingChange(event) },
    ChangeDeferred: (subscription, { data: { effectiveAt } }) =>
      subscription && {
        ...subscription,
        pending_change: subscription.pending_change && { ...subscription.pending_change, effective_at: effectiveAt },
      },
    ChangeSuperseded: withoutPendingChange,
    ChangeWithdrawn: withoutPendingChange,
    ChangeFailed: withoutPendingChange,
    PlanChanged: applyChange,
    PriceChanged: applyChange,
    RenewalStarted: (subscription) => subscription,
    SubscriptionRenewed: (subscription, { data: { nextBillingAt } }) =>
      subscription && { ...activate(subscription), next_billing_at: nextBillingAt },
    RenewalFailed: (subscription, { data: { nextRetryAt } }) =>
      subscription && { ...activate(subscription), status: 'past_due', next_billing_at: nextRetryAt },
    ResumeFailed: (subscription) => subscription,
    SubscriptionPaused: (subscription, { data: { resumesAt, at } }) =>
      subscription && {
        ...subscription,
        status: 'paused',
        next_billing_at: null,
        paused_at: at,
        resumes_at: resumesAt,
      },
    SubscriptionResumed: (subscription, { data: { nextBillingAt } }) =>
      subscription && { ...activate(subscription), next_billing_at: nextBillingAt },
    CancellationScheduled: (subscription, { data: { cancelAt, reason } }) =>
      subscription && {
        ...subscription,
        next_billing_at: null,
        cancel_at: cancelAt,
        cancellation_reason: reason,
      },
    CancellationRevoked: (subscription, { data: { nextBillingAt } }) =>
      subscription && {
        ...subscription,
        next_billing_at: nextBillingAt,
        cancel_at: null,
        cancellation_reason: null,
      },
    SubscriptionCancelled: (subscription, { data: { cancelAt, reason, at } }) =>
      subscription && {
        ...activate(subscription),
        status: 'cancelled',
        next_billing_at: null,
        cancel_at: cancelAt,
        cancelled_at: at,
        cancellation_reason: reason,
      },
    PaymentMethodChanged: (subscription) => subscription,
  },
};

function toSubscriptionDocument(event: Event<'SubscriptionStarted'>): SubscriptionDocument {
  const { subscriptionId, orderId, lineItemId, planId, amountCents, currency, nextBillingAt } = event.data;
  return {
    ...toResourceValues('subscription', subscriptionId, event),
    status: 'active',
    order: toReference('order', orderId),
    line_item: toReference('line_item', lineItemId),
    plan: toReference('payment_plan', planId),
    amount_cents: amountCents,
    currency,
    next_billing_at: nextBillingAt,
    paused_at: null,
    resumes_at: null,
    cancel_at: null,
    cancelled_at: null,
    cancellation_reason: null,
    pending_change: null,
  };
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

export function toSubscribedPlan(planId: string | null): ValueOf<typeof subscribedPlanSchema> {
  return { object: 'payment_plan', id: planId };
}

function withoutPendingChange(subscription: SubscriptionDocument | null): SubscriptionDocument | null {
  return subscription && { ...subscription, pending_change: null };
}

function applyChange(
  subscription: SubscriptionDocument | null,
  { data: { to } }: Event<'PlanChanged' | 'PriceChanged'>,
): SubscriptionDocument | null {
  if (subscription === null) return null;
  const terms = { plan: toSubscribedPlan(to.planId), amount_cents: to.amountCents };
  return { ...subscription, ...terms, pending_change: null };
}

function activate(subscription: SubscriptionDocument): SubscriptionDocument {
  return { ...subscription, status: 'active', paused_at: null, resumes_at: null };
}
