import { currency, id, maybe, nothing, object, one, refer, resource, text, time } from '../../http/openapi/shape.js';
import type { SubscriptionDocument } from '../projections/subscriptions.js';
import { begun, cents } from './resource.shape.js';

export const subscription = resource<SubscriptionDocument>('Subscription', {
  ...begun('subscription', 'ps'),
  status: one('active', 'past_due', 'paused', 'cancelled'),
  order: refer('order', 'ord'),
  line_item: refer('line_item', 'li'),
  plan: object({ object: one('payment_plan'), id: maybe(id('plan')) }),
  amount_cents: cents,
  currency,
  next_billing_at: maybe(time),
  paused_at: maybe(time),
  resumes_at: maybe(time),
  cancel_at: maybe(time),
  cancelled_at: maybe(time),
  cancellation_reason: maybe(text),
  pending_change: nothing,
});
