import { idIn, type Changes, type EventOf, type Projection } from '../../kernel/projection.js';
import type { SubscriptionEvent } from '../domain/subscription.js';
import { OWNER } from '../../kernel/ownership.js';
import { reference, type Reference } from '../../kernel/reference.js';
import { resource, type Resource } from './resources.js';

export interface SubscriptionDocument extends Resource<'subscription'> {
  readonly status: 'active' | 'past_due' | 'paused' | 'cancelled';
  readonly order: Reference<'order'>;
  readonly line_item: Reference<'line_item'>;
  readonly plan: { readonly object: 'payment_plan'; readonly id: string | null };
  readonly amount_cents: number;
  readonly currency: string;
  readonly next_billing_at: string | null;
  readonly paused_at: string | null;
  readonly resumes_at: string | null;
  readonly cancel_at: string | null;
  readonly cancelled_at: string | null;
  readonly cancellation_reason: string | null;
  readonly pending_change: null;
}

type Event<T extends SubscriptionEvent['type']> = EventOf<SubscriptionEvent, T>;

export const subscriptions: Projection<SubscriptionDocument> = {
  name: 'subscriptions',
  version: 2,
  id: idIn('subscriptionId'),
  indexes: [[...OWNER, 'created_at']],
  totals: [OWNER],
  hourly: [{ group: OWNER, times: ['created_at'] }],
  on: {
    SubscriptionStarted: (_, event: Event<'SubscriptionStarted'>) => started(event),
  } satisfies Changes<SubscriptionDocument, SubscriptionEvent>,
};

function started(event: Event<'SubscriptionStarted'>): SubscriptionDocument {
  const { subscriptionId, orderId, lineItemId, planId, amountCents, currency, nextBillingAt } = event.data;
  return {
    ...resource('subscription', subscriptionId, event),
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
