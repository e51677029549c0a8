import { subscriptions } from '../../../src/commerce/projections/subscriptions.js';
import { ada, EARLIER } from '../domain/facts.js';
import { renderRecorded } from './recorded-from.js';

const started = {
  type: 'SubscriptionStarted',
  data: {
    subscriptionId: 'ps_1',
    businessId: 'biz_1',
    orderId: 'ord_1',
    lineItemId: 'li_1',
    productId: 'prod_1',
    planId: 'plan_1',
    buyer: ada,
    amountCents: 4900,
    currency: 'EUR',
    interval: 'month',
    intervalCount: 1,
    methodToken: 'tok_ok',
    startedAt: EARLIER,
    anchorDay: 31,
    nextBillingAt: '2026-02-28T09:00:00.000Z',
    at: EARLIER,
  },
};

describe('The document of a subscription', () => {
  it('starts active without a pending change', () =>
    expect(renderRecorded(subscriptions, 'ps_1', started)).toEqual({
      id: 'ps_1',
      object: 'subscription',
      status: 'active',
      business: { object: 'business', id: 'biz_1' },
      order: { object: 'order', id: 'ord_1' },
      line_item: { object: 'line_item', id: 'li_1' },
      plan: { object: 'payment_plan', id: 'plan_1' },
      amount_cents: 4900,
      currency: 'EUR',
      next_billing_at: '2026-02-28T09:00:00.000Z',
      paused_at: null,
      resumes_at: null,
      cancel_at: null,
      cancelled_at: null,
      cancellation_reason: null,
      created_at: EARLIER,
      pending_change: null,
    }));
});
