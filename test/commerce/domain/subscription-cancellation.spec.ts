import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import { given } from '../../support/given.js';
import { NOW } from './facts.js';
import {
  cancellationScheduled,
  FIRST_RETRY,
  NEXT_PERIOD_END,
  paused,
  PERIOD_END,
  planScheduled,
  renewalFailed,
  renewalStarted,
  started,
  SubscriptionHistory,
  typesOf,
} from './subscription-facts.js';

const stamp = { subscriptionId: 'ps_1', at: NOW };
const cancelAtEnd = { type: 'CancelSubscription', mode: 'at_period_end', reason: 'too dear' } as const;
const cancelNow = { type: 'CancelSubscription', mode: 'immediately', reason: null } as const;

const pausedUntil = { ...paused, data: { ...paused.data, resumesAt: FIRST_RETRY } };
const revoked = {
  type: 'CancellationRevoked',
  data: { ...stamp, nextBillingAt: PERIOD_END, resumesAt: null },
} as const;

describe('The cancellation of a subscription', () => {
  it('ends an active one with its paid period', () =>
    given(subscriptionDecider, started).when(cancelAtEnd).then(cancellationScheduled));

  it('withdraws the pending change', () =>
    given(subscriptionDecider, started, planScheduled)
      .when(cancelAtEnd)
      .then({ type: 'ChangeWithdrawn', data: { ...stamp, changeId: 'psc_old' } }, cancellationScheduled));

  it('ends it immediately, for the reason of the scheduled one', () =>
    given(subscriptionDecider, started, cancellationScheduled)
      .when(cancelNow)
      .then({
        type: 'SubscriptionCancelled',
        data: { ...stamp, cancelAt: NOW, reason: 'too dear', openInvoiceId: null },
      }));

  it('ends a paused one at once after its paid period', () =>
    given(subscriptionDecider, started, paused)
      .when(cancelAtEnd, { now: PERIOD_END })
      .then({
        type: 'SubscriptionCancelled',
        data: { ...stamp, cancelAt: PERIOD_END, reason: 'too dear', openInvoiceId: null, at: PERIOD_END },
      }));

  it('names the open invoice of one that is past due', () =>
    given(subscriptionDecider, started, renewalStarted, renewalFailed)
      .when(cancelAtEnd, { now: FIRST_RETRY })
      .then({
        type: 'SubscriptionCancelled',
        data: { ...stamp, cancelAt: FIRST_RETRY, reason: 'too dear', openInvoiceId: 'inv_1', at: FIRST_RETRY },
      }));

  it('happens at its time', () =>
    given(subscriptionDecider, started, cancellationScheduled)
      .when({ type: 'EndSubscription', cancelAt: PERIOD_END }, { now: PERIOD_END })
      .then({
        type: 'SubscriptionCancelled',
        data: { ...stamp, cancelAt: PERIOD_END, reason: 'too dear', openInvoiceId: null, at: PERIOD_END },
      }));

  it('ignores a time that no longer fits', () =>
    given(subscriptionDecider, started, cancellationScheduled)
      .when({ type: 'EndSubscription', cancelAt: NEXT_PERIOD_END }, { now: NEXT_PERIOD_END })
      .thenNothing());

  it('is revoked with the billing that it had stopped', () =>
    given(subscriptionDecider, started, cancellationScheduled).when({ type: 'RevokeCancellation' }).then(revoked));

  it('is revoked without billing while the subscription is paused', () =>
    given(subscriptionDecider, started, paused, cancellationScheduled)
      .when({ type: 'RevokeCancellation' })
      .then({ type: 'CancellationRevoked', data: { ...stamp, nextBillingAt: null, resumesAt: null } }));

  it('is revoked with the end of the pause that it had stopped', () =>
    given(subscriptionDecider, started, pausedUntil, cancellationScheduled)
      .when({ type: 'RevokeCancellation' })
      .then({ type: 'CancellationRevoked', data: { ...stamp, nextBillingAt: null, resumesAt: FIRST_RETRY } }));

  it('does not happen, and is revoked once', () => {
    const history = [started, cancellationScheduled, revoked];
    given(subscriptionDecider, ...history)
      .when({ type: 'EndSubscription', cancelAt: PERIOD_END }, { now: PERIOD_END })
      .thenNothing();
    given(subscriptionDecider, ...history)
      .when({ type: 'RevokeCancellation' })
      .thenRejects('no_scheduled_cancellation');
  });

  it('can be scheduled again after it was revoked', () =>
    given(subscriptionDecider, started, cancellationScheduled, revoked).when(cancelAtEnd).then(cancellationScheduled));

  describe('while the renewal is charged', () => {
    const charged = () => {
      const history = new SubscriptionHistory(started, planScheduled);
      history.startRenewal(PERIOD_END);
      return history;
    };

    it('ends the subscription with the charged period, whose terms stay pending', () => {
      const history = charged();

      expect(history.run(PERIOD_END, cancelAtEnd)).toEqual([
        { type: 'CancellationScheduled', data: expect.objectContaining({ cancelAt: '2027-02-28T09:00:00.000Z' }) },
      ]);
      expect(typesOf(history.settle(PERIOD_END, 'paid'))).toEqual(['PlanChanged', 'SubscriptionRenewed']);
      expect(history.known).toMatchObject({ status: 'active', cancellation: { at: '2027-02-28T09:00:00.000Z' } });
    });

    it('ends the subscription at once when the charge fails', () => {
      const history = charged();
      history.run(PERIOD_END, cancelAtEnd);

      expect(typesOf(history.settle(PERIOD_END, 'declined'))).toEqual([
        'RenewalFailed',
        'ChangeWithdrawn',
        'SubscriptionCancelled',
      ]);
    });

    it('ignores the result once the subscription has ended', () => {
      const history = charged();
      const { invoiceId, paymentId } = history.known.agreement.renewal!;
      history.run(PERIOD_END, cancelNow);

      expect(
        history.run(PERIOD_END, {
          type: 'RecordRenewal',
          invoiceId,
          payment: { paymentId: paymentId!, paidAt: PERIOD_END },
        }),
      ).toEqual([]);
    });
  });
});
