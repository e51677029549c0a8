import { subscriptionChanges } from '../../../src/commerce/projections/subscription-changes.js';
import { NOW } from '../domain/facts.js';
import {
  availablePlanIds,
  NEXT_PERIOD_END,
  PERIOD_END,
  planScheduled,
  started,
  SubscriptionHistory,
} from '../domain/subscription-facts.js';
import { renderRecorded } from './recorded-from.js';

const renderChange = ({ events }: SubscriptionHistory) => renderRecorded(subscriptionChanges, 'psc_old', ...events);

describe('The entry of a change', () => {
  it('is applied at the time of the payment that confirms it', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    history.renew(PERIOD_END, 'paid');

    expect(renderChange(history)).toMatchObject({
      status: 'applied',
      created_at: NOW,
      effective_at: PERIOD_END,
      effective_confirmed_at: PERIOD_END,
      confirmed_by: { object: 'payment', id: expect.stringMatching(/^pay_/) },
    });
  });

  it('takes effect with the charge of a resumption', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    history.run(NOW, { type: 'PauseSubscription', resumesAt: null, reason: null });
    history.run(NEXT_PERIOD_END, { type: 'ResumeSubscription', resumesAt: null, availablePlanIds });
    history.settle(NEXT_PERIOD_END, 'paid');

    expect(renderChange(history)).toMatchObject({
      status: 'applied',
      effective_at: NEXT_PERIOD_END,
      effective_confirmed_at: NEXT_PERIOD_END,
    });
  });

  it('takes effect with a payment before the next retry', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    history.renew(PERIOD_END, 'declined');
    const retry = { type: 'StartRenewal', periodStart: PERIOD_END, attempt: 2, requested: true } as const;
    history.run(PERIOD_END, { ...retry, availablePlanIds });
    history.settle(PERIOD_END, 'paid');

    expect(renderChange(history)).toMatchObject({
      status: 'applied',
      effective_at: PERIOD_END,
      effective_confirmed_at: PERIOD_END,
    });
  });

  it('has a failure only when it failed', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    expect(renderChange(history)).not.toHaveProperty('failure');

    history.renew(PERIOD_END, 'paid', []);
    expect(renderChange(history)).toMatchObject({
      status: 'failed',
      failure: { code: 'plan_not_available', detail: 'The plan was archived.', failed_at: PERIOD_END },
      effective_confirmed_at: null,
      confirmed_by: null,
    });
  });
});
