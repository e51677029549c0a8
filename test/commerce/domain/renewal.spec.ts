import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import { given } from '../../support/given.js';
import {
  availablePlanIds,
  dataOf,
  FIRST_RETRY,
  monthlyTerms,
  NEXT_PERIOD_END,
  paused,
  PERIOD_END,
  planScheduled,
  renewal,
  renewalStarted,
  started,
  SubscriptionHistory,
  typesOf,
  yearlyTerms,
} from './subscription-facts.js';

const LATER = '2026-03-10T09:00:00.000Z';
const AFTER_THE_DISCOUNT = '2026-06-01T09:00:00.000Z';
const renew = {
  type: 'StartRenewal',
  periodStart: PERIOD_END,
  attempt: 1,
  requested: false,
  availablePlanIds,
} as const;
const resume = { type: 'ResumeSubscription', resumesAt: null, availablePlanIds } as const;

const anId = (prefix: string) => expect.stringMatching(`^${prefix}_[a-z0-9]{26}$`) as string;

/** A subscription with 100 % off until June. */
function startFree(): SubscriptionHistory {
  const discount = { percentOff: 100, duration: 'repeating', coveredUntil: AFTER_THE_DISCOUNT } as const;
  return new SubscriptionHistory({ ...started, data: { ...started.data, discount } });
}

describe('A renewal', () => {
  it('charges the current terms for the next period', () =>
    given(subscriptionDecider, started)
      .when(renew, { now: PERIOD_END })
      .then({
        ...renewalStarted,
        data: { ...renewalStarted.data, paymentId: anId('pay'), invoiceId: anId('inv') },
      }));

  it('charges once per period and attempt: another command names the same payment', () => {
    const [one, other] = [new SubscriptionHistory(started), new SubscriptionHistory(started)];

    expect(one.run(PERIOD_END, renew)).toEqual(other.run(PERIOD_END, renew));
    expect(one.run(PERIOD_END, renew)).toEqual([]);
  });

  it.each(['9999-12-31T23:59:59.999Z', '+010000-06-01T09:00:00.000Z'])('never falls due at %s', (nextBillingAt) =>
    given(subscriptionDecider, { ...started, data: { ...started.data, nextBillingAt } })
      .when({ ...renew, periodStart: nextBillingAt }, { now: '9999-12-31T23:59:59.999Z' })
      .thenNothing(),
  );

  it('is not early', () => given(subscriptionDecider, started).when(renew).thenNothing());

  it('starts the next period when it is paid', () =>
    given(subscriptionDecider, started, renewalStarted)
      .when(
        { type: 'RecordRenewal', invoiceId: 'inv_1', payment: { paymentId: 'pay_1', paidAt: LATER } },
        { now: LATER },
      )
      .then({
        type: 'SubscriptionRenewed',
        data: {
          subscriptionId: 'ps_1',
          periodStart: PERIOD_END,
          periodEnd: NEXT_PERIOD_END,
          anchorDay: 31,
          nextBillingAt: NEXT_PERIOD_END,
          amountCents: 4900,
          paymentId: 'pay_1',
          invoiceId: 'inv_1',
          at: LATER,
        },
      }));

  it('ignores the result of another charge', () =>
    given(subscriptionDecider, started, renewalStarted)
      .when({ type: 'RecordRenewal', invoiceId: 'inv_1', payment: { paymentId: 'pay_0', paidAt: LATER } })
      .thenNothing());

  it.each([
    ['31 January', 'month', '2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['29 February', 'year', '2024-02-29', ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ] as const)('keeps the anchor of %s', (_, interval, day, days) => {
    const [start, first, ...later] = [day, ...days].map((date) => `${date}T09:00:00.000Z`) as [string, string];
    const data = { ...started.data, interval, startedAt: start, anchorDay: Number(day.slice(8)), nextBillingAt: first };
    const history = new SubscriptionHistory({ ...started, data });
    const ends = [first, ...(later as string[])].slice(0, -1).map((due) => {
      history.renew(due, 'paid');
      return history.known.agreement.paidUntil;
    });

    expect(ends).toEqual(later);
  });
});

describe('A renewal with a pending change', () => {
  it('bills the new terms and confirms them at the time of the payment', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    const events = history.renew(PERIOD_END, 'paid');

    expect(typesOf(events)).toEqual(['RenewalStarted', 'PlanChanged', 'SubscriptionRenewed']);
    expect(dataOf(events, 'RenewalStarted')).toMatchObject({ changeId: 'psc_old', amountCents: 49_000 });
    expect(dataOf(events, 'PlanChanged')).toEqual({
      subscriptionId: 'ps_1',
      changeId: 'psc_old',
      from: monthlyTerms,
      to: yearlyTerms,
      paymentId: anId('pay'),
      invoiceId: null,
      confirmedAt: PERIOD_END,
      nextBillingAt: '2027-02-28T09:00:00.000Z',
      at: PERIOD_END,
    });
    expect(history.known.agreement).toMatchObject({
      terms: yearlyTerms,
      change: null,
      paidUntil: '2027-02-28T09:00:00.000Z',
    });
  });

  describe('to a free plan', () => {
    const freeTerms = { ...monthlyTerms, planId: 'plan_free', amountCents: 0 };
    const freeScheduled = { ...planScheduled, data: { ...planScheduled.data, to: freeTerms } };
    const plans = [...availablePlanIds, 'plan_free'];

    it('applies it with a zero invoice of that plan, without a discount', () => {
      const history = new SubscriptionHistory(started, freeScheduled);
      const [renewalStart] = history.startRenewal(PERIOD_END, plans);
      expect(renewalStart!.data).toMatchObject({ terms: freeTerms, amountCents: 0, discountCents: 0, paymentId: null });
      const { invoiceId } = history.known.agreement.renewal!;
      const events = history.run(PERIOD_END, { type: 'RecordRenewal', invoiceId, payment: null });
      expect(typesOf(events)).toEqual(['PlanChanged', 'SubscriptionRenewed']);
      expect(events[0]!.data).toMatchObject({ paymentId: null, invoiceId, confirmedAt: PERIOD_END, to: freeTerms });
      expect(history.known.agreement).toMatchObject({ terms: freeTerms, change: null, paidUntil: NEXT_PERIOD_END });
    });

    it('applies it also when a discount would make every plan free', () => {
      const history = startFree();
      history.events.push(freeScheduled);
      history.startRenewal(PERIOD_END, plans);
      expect(history.known.agreement.renewal).toMatchObject({
        terms: freeTerms,
        changeId: 'psc_old',
        discountCents: 0,
      });
    });

    it('bills the current terms when the free plan is archived', () => {
      const history = new SubscriptionHistory(started, freeScheduled);
      expect(typesOf(history.renew(PERIOD_END, 'paid'))).toEqual([
        'ChangeFailed',
        'RenewalStarted',
        'SubscriptionRenewed',
      ]);
      expect(history.known.agreement).toMatchObject({ terms: monthlyTerms, change: null });
    });

    it('is left again for a plan that costs', () => {
      const back = { ...planScheduled, data: { ...planScheduled.data, from: freeTerms, to: monthlyTerms } };
      const free = { ...started, data: { ...started.data, planId: 'plan_free', amountCents: 0 } };
      const history = new SubscriptionHistory(free, back);
      expect(typesOf(history.renew(PERIOD_END, 'paid'))).toEqual([
        'RenewalStarted',
        'PlanChanged',
        'SubscriptionRenewed',
      ]);
      expect(history.known.agreement.terms).toEqual(monthlyTerms);
    });
  });

  it('bills the current terms when the new plan is archived', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    const events = history.renew(PERIOD_END, 'paid', ['plan_2']);

    expect(typesOf(events)).toEqual(['ChangeFailed', 'RenewalStarted', 'SubscriptionRenewed']);
    expect(dataOf(events, 'ChangeFailed')).toMatchObject({ changeId: 'psc_old', code: 'plan_not_available' });
    expect(dataOf(events, 'RenewalStarted')).toMatchObject({ changeId: null, terms: monthlyTerms });
  });

  it('bills a new price also when the plan is archived', () => {
    const history = new SubscriptionHistory(started);
    history.run(started.data.at, { type: 'ChangePrice', amountCents: 5900, currency: 'EUR' });

    expect(typesOf(history.renew(PERIOD_END, 'paid', []))).toEqual([
      'RenewalStarted',
      'PriceChanged',
      'SubscriptionRenewed',
    ]);
  });

  it('keeps the change pending while nothing is due', () => {
    const history = startFree();
    history.run(started.data.at, { type: 'ChangePrice', amountCents: 5900, currency: 'EUR' });
    const events = history.renew(PERIOD_END, 'paid');

    expect(typesOf(events)).toEqual(['RenewalStarted', 'SubscriptionRenewed', 'ChangeDeferred']);
    expect(dataOf(events, 'RenewalStarted')).toMatchObject({ paymentId: null, amountCents: 0, discountCents: 4900 });
    expect(history.known.agreement).toMatchObject({
      terms: monthlyTerms,
      change: { effectiveAt: NEXT_PERIOD_END },
    });
  });

  it('confirms the change with the first charge after the discount', () => {
    const history = startFree();
    history.run(started.data.at, { type: 'ChangePrice', amountCents: 5900, currency: 'EUR' });
    const periods = [PERIOD_END, NEXT_PERIOD_END, '2026-04-30T09:00:00.000Z', '2026-05-31T09:00:00.000Z'];
    for (const due of periods) history.renew(due, 'paid');

    expect(typesOf(history.renew('2026-06-30T09:00:00.000Z', 'paid'))).toContain('PriceChanged');
  });

  it('takes a new anchor when a cycle of days becomes one of months', () => {
    const weekly = { ...started.data, interval: 'week', nextBillingAt: '2026-02-07T09:00:00.000Z' } as const;
    const history = new SubscriptionHistory({ ...started, data: weekly }, planScheduled);
    history.renew('2026-02-07T09:00:00.000Z', 'paid');

    expect(history.known.agreement).toMatchObject({ anchorDay: 7, paidUntil: '2027-02-07T09:00:00.000Z' });
  });
});

describe('A failed renewal', () => {
  it('is retried 2, 7, 14 and 21 days later, then ends the subscription', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    const retries = ['2026-03-02', '2026-03-07', '2026-03-14', '2026-03-21'].map((day) => `${day}T09:00:00.000Z`);
    history.renew(PERIOD_END, 'declined');
    for (const [i, retry] of retries.entries()) {
      expect(history.known).toMatchObject({ status: 'past_due', dunning: { nextRetryAt: retry } });
      const events = history.renew(retry, 'declined');
      if (i === 3)
        expect(typesOf(events)).toEqual(['RenewalStarted', 'RenewalFailed', 'ChangeFailed', 'SubscriptionCancelled']);
    }

    expect(dataOf(history.events, 'ChangeFailed')).toMatchObject({ code: 'payment_failed' });
    expect(dataOf(history.events, 'SubscriptionCancelled')).toMatchObject({
      reason: 'payment_failed',
      cancelAt: retries[3],
    });
  });

  it('ends the subscription at once after a hard decline', () => {
    const history = new SubscriptionHistory(started);

    expect(typesOf(history.renew(PERIOD_END, 'lost_card'))).toEqual([
      'RenewalStarted',
      'RenewalFailed',
      'SubscriptionCancelled',
    ]);
  });

  it('keeps the change pending, and bills it under the same invoice', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    const first = history.renew(PERIOD_END, 'declined');
    const retried = history.renew(FIRST_RETRY, 'paid');

    expect(typesOf(first)).toEqual(['RenewalStarted', 'RenewalFailed', 'ChangeDeferred']);
    expect(typesOf(retried)).toEqual(['RenewalStarted', 'PlanChanged', 'SubscriptionRenewed']);
    const [one, other] = [dataOf(first, 'RenewalStarted'), dataOf(retried, 'RenewalStarted')] as (typeof renewal)[];
    expect(other!.invoiceId).toBe(one!.invoiceId);
    expect(other!.paymentId).not.toBe(one!.paymentId);
    expect(other).toMatchObject({ attempt: 2, periodStart: PERIOD_END, replacedInvoiceId: null });
  });

  it('replaces its invoice when the change was withdrawn', () => {
    const history = new SubscriptionHistory(started, planScheduled);
    const first = dataOf(history.renew(PERIOD_END, 'declined'), 'RenewalStarted') as typeof renewal;
    history.run(LATER, { type: 'WithdrawChange' });
    const retried = dataOf(history.renew(LATER, 'paid'), 'RenewalStarted') as typeof renewal;

    expect(retried).toMatchObject({ replacedInvoiceId: first.invoiceId, amountCents: 4900 });
    expect(retried.invoiceId).not.toBe(first.invoiceId);
  });

  it('keeps the anchor when a retry is paid', () => {
    const history = new SubscriptionHistory(started);
    history.renew(PERIOD_END, 'declined');
    history.renew(FIRST_RETRY, 'paid');

    expect(history.known).toMatchObject({ status: 'active', agreement: { paidUntil: NEXT_PERIOD_END } });
  });

  it('keeps its schedule when a requested retry fails', () => {
    const history = new SubscriptionHistory(started);
    history.renew(PERIOD_END, 'declined');
    history.run(PERIOD_END, { ...renew, attempt: 2, requested: true });
    history.settle(PERIOD_END, 'lost_card');

    expect(history.known).toMatchObject({
      status: 'past_due',
      agreement: { attempts: 2 },
      dunning: { nextRetryAt: FIRST_RETRY, failedAttempts: 1 },
    });
  });
});

describe('The charge of a resumed subscription', () => {
  it('starts a new period with a new anchor', () => {
    const history = new SubscriptionHistory(started, paused);
    history.run(LATER, resume);

    expect(typesOf(history.settle(LATER, 'paid'))).toEqual(['SubscriptionResumed', 'SubscriptionRenewed']);
    expect(history.known).toMatchObject({
      status: 'active',
      agreement: { anchorDay: 10, paidUntil: '2026-04-10T09:00:00.000Z' },
    });
  });

  it('confirms the pending change', () => {
    const history = new SubscriptionHistory(started, planScheduled, paused);
    history.run(LATER, resume);

    expect(typesOf(history.settle(LATER, 'paid'))).toEqual([
      'SubscriptionResumed',
      'PlanChanged',
      'SubscriptionRenewed',
    ]);
  });

  it('leaves the subscription paused when it fails, and has another invoice the next time', () => {
    const history = new SubscriptionHistory(started, paused);
    const first = dataOf(history.run(LATER, resume), 'RenewalStarted') as typeof renewal;

    expect(typesOf(history.settle(LATER, 'lost_card'))).toEqual(['ResumeFailed']);
    expect(history.known.status).toBe('paused');
    const second = dataOf(history.run(LATER, resume), 'RenewalStarted') as typeof renewal;
    expect([second.invoiceId, second.paymentId]).not.toContain(first.invoiceId);
    expect(second.paymentId).not.toBe(first.paymentId);
  });

  it('makes the subscription past due when a scheduled one fails', () => {
    const scheduled = { ...paused, data: { ...paused.data, resumesAt: LATER } } as const;
    const history = new SubscriptionHistory(started, scheduled);
    history.run(LATER, { ...resume, resumesAt: LATER });
    history.settle(LATER, 'declined');

    expect(history.known).toMatchObject({
      status: 'past_due',
      dunning: { periodStart: LATER, anchorDay: 10, nextRetryAt: '2026-03-12T09:00:00.000Z' },
    });
    history.renew('2026-03-12T09:00:00.000Z', 'paid');
    expect(history.known.agreement.paidUntil).toBe('2026-04-10T09:00:00.000Z');
  });

  it('refuses to pause until a time in the past', () =>
    given(subscriptionDecider, started)
      .when({ type: 'PauseSubscription', resumesAt: started.data.at, reason: null })
      .thenRejects('validation_failed', 'resumes_at'));
});
