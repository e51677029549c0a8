import { subscriptionDecider, type SubscriptionStart } from '../../../src/commerce/domain/subscription.js';
import { given } from '../../support/given.js';
import { ada, NOW } from './facts.js';

const start: SubscriptionStart = {
  subscriptionId: 'ps_1',
  businessId: 'biz_1',
  orderId: 'ord_1',
  lineItemId: 'li_1',
  productId: 'prod_1',
  planId: 'plan_2',
  buyer: ada,
  amountCents: 4900,
  currency: 'EUR',
  interval: 'month',
  intervalCount: 1,
  methodToken: 'tok_ok',
  startedAt: '2026-01-31T09:00:00.000Z',
};
const started = {
  type: 'SubscriptionStarted',
  data: { ...start, anchorDay: 31, nextBillingAt: '2026-02-28T09:00:00.000Z', at: NOW },
} as const;

describe('A subscription', () => {
  it('starts active and is billed one period after its start', () =>
    given(subscriptionDecider).when({ type: 'StartSubscription', start }).then(started));

  it('starts once', () => given(subscriptionDecider, started).when({ type: 'StartSubscription', start }).thenNothing());
});
