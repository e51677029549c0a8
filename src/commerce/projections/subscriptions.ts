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
  nullValue,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { SubscriptionEvent } from '../domain/subscription.js';
import { centsSchema, resourceFields, toResourceValues } from './resources.js';

export const subscriptionSchema = resource('Subscription', {
  ...resourceFields('subscription', 'ps'),
  status: enumOf('active', 'past_due', 'paused', 'cancelled'),
  order: ref('order', 'ord'),
  line_item: ref('line_item', 'li'),
  plan: object({ object: enumOf('payment_plan'), id: nullable(id('plan')) }),
  amount_cents: centsSchema,
  currency,
  next_billing_at: nullable(dateTime),
  paused_at: nullable(dateTime),
  resumes_at: nullable(dateTime),
  cancel_at: nullable(dateTime),
  cancelled_at: nullable(dateTime),
  cancellation_reason: nullable(string),
  pending_change: nullValue,
});

export interface SubscriptionDocument extends DocumentOf<typeof subscriptionSchema>, Owned {}

type Event<T extends SubscriptionEvent['type']> = EventOf<SubscriptionEvent, T>;

export const subscriptions: Projection<SubscriptionDocument, SubscriptionEvent> = {
  name: 'subscriptions',
  version: 2,
  id: pickId('subscriptionId'),
  indexes: [[...OWNER_INDEX, 'created_at']],
  totals: [OWNER_INDEX],
  hourly: [{ group: OWNER_INDEX, times: ['created_at'] }],
  on: {
    SubscriptionStarted: (_, event) => toSubscriptionDocument(event),
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
