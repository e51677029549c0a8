import { idIn, type EventOf, type Projection } from '../../kernel/projection.js';
import type { SubscriptionEvent } from '../domain/subscription.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import { reference } from '../../kernel/reference.js';
import { currency, type DocumentOf, id, nullable, nothing, object, one, refer, resource, text, time } from '../../kernel/schema.js';
import { begin, begun, cents } from './resources.js';

export const subscriptionSchema = resource('Subscription', {
  ...begun('subscription', 'ps'),
  status: one('active', 'past_due', 'paused', 'cancelled'),
  order: refer('order', 'ord'),
  line_item: refer('line_item', 'li'),
  plan: object({ object: one('payment_plan'), id: nullable(id('plan')) }),
  amount_cents: cents,
  currency,
  next_billing_at: nullable(time),
  paused_at: nullable(time),
  resumes_at: nullable(time),
  cancel_at: nullable(time),
  cancelled_at: nullable(time),
  cancellation_reason: nullable(text),
  pending_change: nothing,
});

export interface SubscriptionDocument extends DocumentOf<typeof subscriptionSchema>, Owned {}

type Event<T extends SubscriptionEvent['type']> = EventOf<SubscriptionEvent, T>;

export const subscriptions: Projection<SubscriptionDocument, SubscriptionEvent> = {
  name: 'subscriptions',
  version: 2,
  id: idIn('subscriptionId'),
  indexes: [[...OWNER, 'created_at']],
  totals: [OWNER],
  hourly: [{ group: OWNER, times: ['created_at'] }],
  on: {
    SubscriptionStarted: (_, event) => started(event),
  },
};

function started(event: Event<'SubscriptionStarted'>): SubscriptionDocument {
  const { subscriptionId, orderId, lineItemId, planId, amountCents, currency, nextBillingAt } = event.data;
  return {
    ...begin('subscription', subscriptionId, event),
    status: 'active',
    order: reference('order', orderId),
    line_item: reference('line_item', lineItemId),
    plan: reference('payment_plan', planId),
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
