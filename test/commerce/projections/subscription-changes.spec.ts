import { subscriptionChanges } from '../../../src/commerce/projections/subscription-changes.js';
import { NOW } from '../domain/facts.js';
import { PERIOD_END, planScheduled, started, SubscriptionHistory } from '../domain/subscription-facts.js';
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
