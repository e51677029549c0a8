import type { SubscriptionEvent } from '../../../src/commerce/domain/subscription-events.js';
import { subscriptions } from '../../../src/commerce/projections/subscriptions.js';
import { EARLIER, NOW } from '../domain/facts.js';
import {
  cancellationScheduled,
  cancelled,
  FIRST_RETRY,
  NEXT_PERIOD_END,
  paused,
  PERIOD_END,
  planScheduled,
  renewalFailed,
  started,
  SubscriptionHistory,
} from '../domain/subscription-facts.js';
import { renderRecorded } from './recorded-from.js';

const active = {
  id: 'ps_1',
  object: 'subscription',
  status: 'active',
  business: { object: 'business', id: 'biz_1' },
  order: { object: 'order', id: 'ord_1' },
  line_item: { object: 'line_item', id: 'li_1' },
  plan: { object: 'payment_plan', id: 'plan_2' },
  amount_cents: 4900,
  currency: 'EUR',
  next_billing_at: PERIOD_END,
  paused_at: null,
  resumes_at: null,
  cancel_at: null,
  cancelled_at: null,
  cancellation_reason: null,
  created_at: EARLIER,
  pending_change: null,
};
const pendingChange = {
  id: 'psc_old',
  type: 'plan',
  plan: { object: 'payment_plan', id: 'plan_y' },
  amount_cents: 49_000,
  currency: 'EUR',
  effective_at: PERIOD_END,
  created_at: NOW,
};
const changed = { subscriptionId: 'ps_1', changeId: 'psc_old', at: NOW };
const pausedUntil = { ...paused, data: { ...paused.data, resumesAt: NEXT_PERIOD_END } } as const;

const documents: readonly (readonly [string, readonly SubscriptionEvent[], object])[] = [
  ['starts active without a pending change', [], {}],
  ['has a pending change of plan', [planScheduled], { pending_change: pendingChange }],
  [
    'has no plan in a pending change of price',
    [
      {
        ...planScheduled,
        data: { ...planScheduled.data, kind: 'price', to: { ...planScheduled.data.from, amountCents: 1 } },
      },
    ],
    { pending_change: { ...pendingChange, type: 'price', plan: null, amount_cents: 1 } },
  ],
  [
    'has no time for a deferred change',
    [planScheduled, { type: 'ChangeDeferred', data: { ...changed, effectiveAt: null } }],
    { pending_change: { ...pendingChange, effective_at: null } },
  ],
  ['loses a withdrawn change', [planScheduled, { type: 'ChangeWithdrawn', data: changed }], {}],
  [
    'shows since when it is paused',
    [pausedUntil],
    { status: 'paused', next_billing_at: null, paused_at: NOW, resumes_at: NEXT_PERIOD_END },
  ],
  [
    'forgets its pause when it resumes',
    [
      pausedUntil,
      { type: 'SubscriptionResumed', data: { subscriptionId: 'ps_1', nextBillingAt: PERIOD_END, at: NOW } },
    ],
    {},
  ],
  ['shows its next retry', [renewalFailed], { status: 'past_due', next_billing_at: FIRST_RETRY }],
  [
    'shows when it will end',
    [cancellationScheduled],
    { next_billing_at: null, cancel_at: PERIOD_END, cancellation_reason: 'too dear' },
  ],
  [
    'is billed again after a revoked cancellation',
    [
      cancellationScheduled,
      {
        type: 'CancellationRevoked',
        data: { subscriptionId: 'ps_1', resumesAt: null, nextBillingAt: PERIOD_END, at: NOW },
      },
    ],
    {},
  ],
  ['ends', [pausedUntil, cancelled], { status: 'cancelled', next_billing_at: null, cancel_at: NOW, cancelled_at: NOW }],
];

describe('The document of a subscription', () => {
  it.each(documents)('%s', (_, events, fields) =>
    expect(renderRecorded(subscriptions, 'ps_1', started, ...events)).toEqual({ ...active, ...fields }),
  );

  it('switches to the billed terms', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    history.renew(PERIOD_END, 'paid');

    expect(renderRecorded(subscriptions, 'ps_1', ...history.events)).toEqual({
      ...active,
      plan: { object: 'payment_plan', id: 'plan_y' },
      amount_cents: 49_000,
      next_billing_at: '2027-02-28T09:00:00.000Z',
    });
  });
});
