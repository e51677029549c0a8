import { addOldPlan } from '../../../src/commerce/projections/plan-changes.js';
import { type SubscriptionDocument, subscriptions } from '../../../src/commerce/projections/subscriptions.js';
import { createEvent } from '../../support/jar.js';
import { PERIOD_END, planScheduled, started, SubscriptionHistory } from '../domain/subscription-facts.js';
import { renderRecorded } from './recorded-from.js';

describe('The data of a plan change', () => {
  const history = new SubscriptionHistory(started, planScheduled);
  history.renew(PERIOD_END, 'paid');
  const events = history.events.slice(0, history.events.findIndex(({ type }) => type === 'PlanChanged') + 1);
  const changed = events.at(-1) as Extract<(typeof events)[number], { type: 'PlanChanged' }>;
  const subscription = renderRecorded(subscriptions, 'ps_1', ...events) as SubscriptionDocument;

  const addPlanOf = ({ type, data }: typeof changed) =>
    addOldPlan(subscription, {
      ...createEvent('plan-changed', type, data),
      stream: 'subscription-ps_1',
      revision: 1,
      position: '1',
      data,
    });

  it('is the subscription with its new terms, and the old plan', () => {
    const data = addPlanOf(changed);

    expect(data).toEqual({ ...subscription, old_plan: { object: 'payment_plan', id: 'plan_2' } });
    expect(data).toMatchObject({
      status: 'active',
      plan: { id: 'plan_y' },
      next_billing_at: '2027-02-28T09:00:00.000Z',
      pending_change: null,
    });
  });

  it('has no old plan when no fact names it', () => {
    const unnamed = { ...changed, data: { ...changed.data, from: { ...changed.data.from, planId: null } } };
    expect(addPlanOf(unnamed)).toMatchObject({ old_plan: null });
  });
});
