import { parseRefundTimerId } from '../../../src/commerce/projections/timer-changes.js';
import { listStartedTimers, timers } from '../../../src/commerce/projections/timers.js';
import type { Mode, RecordedEvent } from '../../../src/kernel/event.js';
import { renderOrNull, toDocumentIds } from '../../../src/kernel/projection.js';
import { createEvent } from '../../support/jar.js';

const CHECK_AT = '2026-02-01T10:00:00.000Z';
const FUNDS_AT = '2026-02-08T09:00:00.000Z';

const paymentEvent = (type: string, data: object, mode: Mode = 'test'): RecordedEvent => {
  const event = createEvent(type, type, { paymentId: 'pay_1', ...data });
  return { ...event, meta: { ...event.meta, mode }, stream: 'payment-pay_1', revision: 0, position: type };
};
const unsettled = paymentEvent('PaymentUnsettled', { checkAt: CHECK_AT });
const succeeded = paymentEvent('PaymentSucceeded', { fundsAt: FUNDS_AT });
const released = paymentEvent('FundsReleased', {});

describe('The timers of test mode', () => {
  it('list a noun with the due time of each kind', () => {
    expect(renderOrNull(timers, 'settlement:pay_1', [unsettled])).toMatchObject({ nounId: 'pay_1', due: CHECK_AT });
    expect(renderOrNull(timers, 'funds:pay_1', [unsettled])).toBeNull();
  });

  it('list a settlement until its order has ended, so that a run after a crash finishes the order', () => {
    expect(renderOrNull(timers, 'settlement:pay_1', [unsettled, succeeded])).toMatchObject({ due: CHECK_AT });
    for (const end of [
      'OrderCompleted',
      'OrderFailed',
      'SubscriptionRenewed',
      'RenewalFailed',
      'ResumeFailed',
      'InstallmentPaid',
      'InstallmentFailed',
    ])
      expect(renderOrNull(timers, 'settlement:pay_1', [unsettled, succeeded, paymentEvent(end, {})])).toBeNull();
  });

  it('list no timer that an event has ended', () => {
    expect(renderOrNull(timers, 'funds:pay_1', [unsettled, succeeded])).toMatchObject({ kind: 'funds', due: FUNDS_AT });
    expect(renderOrNull(timers, 'funds:pay_1', [unsettled, succeeded, released])).toBeNull();
  });

  it('list no installment before the payment of the part before it', () => {
    const paid = (nextDueAt: string | null, at: string) =>
      renderOrNull(timers, 'installment:li_1', [
        paymentEvent('InstallmentPaid', { installmentPlanId: 'li_1', nextDueAt, at }),
      ]);

    expect(paid(FUNDS_AT, CHECK_AT)).toMatchObject({ nounId: 'li_1', due: FUNDS_AT });
    expect(paid(CHECK_AT, FUNDS_AT)).toMatchObject({ due: FUNDS_AT });
    expect(paid(null, CHECK_AT)).toBeNull();
  });

  it('list each unsettled refund of a payment', () => {
    const refunds = ['ref_1', 'ref_2'].map((refundId) =>
      paymentEvent('RefundUnsettled', { refundId, checkAt: CHECK_AT }),
    );
    const failed = paymentEvent('RefundFailed', { refundId: 'ref_1' });
    const ids = refunds.flatMap((event) => toDocumentIds(timers, event));

    expect(ids.map((id) => renderOrNull(timers, id, [...refunds, failed])?.due ?? null)).toEqual([null, CHECK_AT]);
    expect(ids.map((id) => parseRefundTimerId(id.replace('refund:', '')))).toEqual([
      { paymentId: 'pay_1', refundId: 'ref_1' },
      { paymentId: 'pay_1', refundId: 'ref_2' },
    ]);
  });

  it('list nothing of live mode, where a timer is only a job', () => {
    const live = paymentEvent('PaymentSucceeded', { fundsAt: FUNDS_AT }, 'live');
    expect(toDocumentIds(timers, live)).toEqual([]);
    expect(listStartedTimers(live)).toMatchObject([{ kind: 'funds', nounId: 'pay_1', due: FUNDS_AT, _mode: 'live' }]);
  });
});
