import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import { given } from '../../support/given.js';
import { clubPlan, NOW } from './facts.js';
import {
  monthlyTerms,
  paused,
  PERIOD_END,
  planScheduled,
  renewal,
  renewalStarted,
  started,
  yearlyPlan,
  yearlyTerms,
} from './subscription-facts.js';

const change = { subscriptionId: 'ps_1', changeId: 'psc_1', at: NOW };
const old = { subscriptionId: 'ps_1', changeId: 'psc_old', at: NOW };
const toYearly = { type: 'ChangePlan', productId: 'prod_2', plan: yearlyPlan } as const;
const raise = { type: 'ChangePrice', amountCents: 5900, currency: null } as const;

describe('A change of a subscription', () => {
  it('waits for the end of the paid period', () =>
    given(subscriptionDecider, started)
      .when(toYearly)
      .then({ type: 'ChangeScheduled', data: { ...planScheduled.data, ...change } }));

  it('keeps the plan when only the price changes', () => {
    const data = {
      ...planScheduled.data,
      ...change,
      kind: 'price',
      to: { ...monthlyTerms, amountCents: 5900 },
    } as const;
    given(subscriptionDecider, started).when(raise).then({ type: 'ChangeScheduled', data });
  });

  it('supersedes the pending one', () => {
    const data = {
      ...planScheduled.data,
      ...change,
      kind: 'price',
      to: { ...monthlyTerms, amountCents: 5900 },
    } as const;
    given(subscriptionDecider, started, planScheduled)
      .when(raise)
      .then({ type: 'ChangeSuperseded', data: { ...old, supersededBy: 'psc_1' } }, { type: 'ChangeScheduled', data });
  });

  it('withdraws the pending one when the new plan is the current one', () =>
    given(subscriptionDecider, started, planScheduled)
      .when({ ...toYearly, plan: clubPlan })
      .then({ type: 'ChangeWithdrawn', data: old }));

  it('withdraws the pending one when the new plan is the current one and is archived', () =>
    given(subscriptionDecider, started, planScheduled)
      .when({ ...toYearly, plan: { ...clubPlan, status: 'archived' } })
      .then({ type: 'ChangeWithdrawn', data: old }));

  it.each([
    ['archived', { status: 'archived' }],
    ['in another currency', { currency: 'USD' }],
    ['of another kind', { kind: 'installment', installmentsCount: 2 }],
  ] as const)('refuses a plan that is %s', (_, terms) =>
    given(subscriptionDecider, started)
      .when({ ...toYearly, plan: { ...yearlyPlan, ...terms } })
      .thenRejects('plan_not_available', 'plan_id'),
  );

  it('refuses a plan of another product', () =>
    given(subscriptionDecider, started)
      .when({ ...toYearly, productId: 'prod_other' })
      .thenRejects('plan_not_available', 'plan_id'));

  it('bills the quantity of the line', () => {
    const three = { ...started, data: { ...started.data, quantity: 3, amountCents: 14_700 } } as const;
    const terms = { from: { ...monthlyTerms, amountCents: 14_700 }, to: { ...yearlyTerms, amountCents: 147_000 } };
    given(subscriptionDecider, three)
      .when(toYearly)
      .then({ type: 'ChangeScheduled', data: { ...planScheduled.data, ...change, ...terms } });
  });

  it('refuses an amount that is too large', () => {
    const two = { ...started, data: { ...started.data, quantity: 2 } } as const;
    given(subscriptionDecider, two)
      .when({ ...toYearly, plan: { ...yearlyPlan, amountCents: 99_999_999_999 } })
      .thenRejects('validation_failed', 'plan_id');
  });

  it('has no time while the subscription is paused', () =>
    given(subscriptionDecider, started, planScheduled)
      .when({ type: 'PauseSubscription', resumesAt: null, reason: 'away' })
      .then(
        { type: 'SubscriptionPaused', data: { ...paused.data, reason: 'away' } },
        { type: 'ChangeDeferred', data: { ...old, effectiveAt: null } },
      ));

  it('gets its time back when the subscription resumes in the paid period', () =>
    given(subscriptionDecider, started, planScheduled, paused, {
      type: 'ChangeDeferred',
      data: { ...old, effectiveAt: null },
    })
      .when({ type: 'ResumeSubscription', resumesAt: null, availablePlanIds: [] })
      .then(
        { type: 'SubscriptionResumed', data: { subscriptionId: 'ps_1', nextBillingAt: PERIOD_END, at: NOW } },
        { type: 'ChangeDeferred', data: { ...old, effectiveAt: PERIOD_END } },
      ));

  it('cannot be withdrawn while its terms are charged', () =>
    given(subscriptionDecider, started, planScheduled, {
      ...renewalStarted,
      data: { ...renewalStarted.data, ...renewal, changeId: 'psc_old', terms: yearlyTerms },
    })
      .when({ type: 'WithdrawChange' })
      .thenRejects('concurrent_update'));
});
