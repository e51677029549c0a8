import { planChanges } from '../../../src/commerce/projections/plan-changes.js';
import { subscriptions } from '../../../src/commerce/projections/subscriptions.js';
import { PERIOD_END, planScheduled, started, SubscriptionHistory } from '../domain/subscription-facts.js';
import { renderRecorded } from './recorded-from.js';

describe('The data of a plan change', () => {
  const history = new SubscriptionHistory(started, planScheduled);
  history.renew(PERIOD_END, 'paid');
  const events = history.events.slice(0, history.events.findIndex(({ type }) => type === 'PlanChanged') + 1);

  it('is the subscription with its new terms, and the old plan', () => {
    const data = renderRecorded(planChanges, 'ps_1', ...events);

    expect(data).toEqual({
      ...renderRecorded(subscriptions, 'ps_1', ...events),
      old_plan: { object: 'payment_plan', id: 'plan_2' },
    });
    expect(data).toMatchObject({
      status: 'active',
      plan: { id: 'plan_y' },
      next_billing_at: '2027-02-28T09:00:00.000Z',
      pending_change: null,
    });
  });

  it('has no old plan when no fact names it', () => {
    const changed = events.at(-1) as Extract<(typeof events)[number], { type: 'PlanChanged' }>;
    const unnamed = { ...changed, data: { ...changed.data, from: { ...changed.data.from, planId: null } } };

    expect(renderRecorded(planChanges, 'ps_1', ...events.slice(0, -1), unnamed)).toMatchObject({ old_plan: null });
  });
});
