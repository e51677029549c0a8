import type { PaymentEvent } from '../../../src/commerce/domain/payment.js';
import { payments } from '../../../src/commerce/projections/payments.js';
import { ada, EARLIER, IN_7_DAYS, NOW } from '../domain/facts.js';
import { renderRecorded } from './recorded-from.js';

const ids = { paymentId: 'pay_1', orderId: 'ord_1' };
const method = { type: 'card', brand: 'visa', last4: '4242' };
const started: PaymentEvent = {
  type: 'PaymentStarted',
  data: {
    ...ids,
    businessId: 'biz_1',
    kind: 'initial',
    subscriptionId: null,
    invoiceId: 'inv_1',
    buyer: ada,
    amountCents: 2500,
    currency: 'EUR',
    gateway: 'simulated',
    methodToken: 'tok_ok',
    at: EARLIER,
  },
};
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: {
    ...ids,
    invoiceId: 'inv_1',
    gatewayReference: 'sim_1',
    method,
    feeCents: 75,
    netCents: 2425,
    fundsAt: IN_7_DAYS,
    at: NOW,
  },
};
const pending = {
  id: 'pay_1',
  object: 'payment',
  business: { object: 'business', id: 'biz_1' },
  created_at: EARLIER,
  status: 'pending',
  refund_status: 'none',
  kind: 'initial',
  order: { object: 'order', id: 'ord_1' },
  subscription: null,
  invoice: null,
  buyer: { object: 'buyer', ...ada },
  amount_cents: 2500,
  refunded_amount_cents: 0,
  refundable_amount_cents: 0,
  fee_cents: 0,
  net_amount_cents: 0,
  currency: 'EUR',
  method: null,
  gateway: 'simulated',
  gateway_reference: null,
  failure: null,
  cash_flow_at: null,
};
const paid = {
  ...pending,
  status: 'succeeded',
  invoice: { object: 'invoice', id: 'inv_1' },
  refundable_amount_cents: 2500,
  fee_cents: 75,
  net_amount_cents: 2425,
  method,
  gateway_reference: 'sim_1',
};

describe('The document of a payment', () => {
  it('is pending after the start and while unsettled', () => {
    const unsettled: PaymentEvent = {
      type: 'PaymentUnsettled',
      data: { ...ids, outcome: 'pending', checkAt: NOW, at: NOW },
    };
    expect(renderRecorded(payments, 'pay_1', started)).toEqual(pending);
    expect(renderRecorded(payments, 'pay_1', started, unsettled)).toEqual(pending);
  });

  it('has the whole amount refundable after success', () =>
    expect(renderRecorded(payments, 'pay_1', started, succeeded)).toEqual(paid));

  it.each(['renewal', 'installment'] as const)('names its invoice when it is of a %s, also when it fails', (kind) => {
    const later: PaymentEvent = { ...started, data: { ...started.data, kind } };
    const failed = { code: 'card_declined', detail: 'The card was declined.', hard: false, at: NOW };

    expect(
      renderRecorded(payments, 'pay_1', later, { type: 'PaymentFailed', data: { ...ids, ...failed } }),
    ).toMatchObject({ status: 'failed', invoice: { object: 'invoice', id: 'inv_1' } });
  });

  it('has a cash flow time after the release of the funds', () =>
    expect(
      renderRecorded(payments, 'pay_1', started, succeeded, {
        type: 'FundsReleased',
        data: { paymentId: 'pay_1', cashFlowAt: IN_7_DAYS, at: IN_7_DAYS },
      }),
    ).toEqual({ ...paid, cash_flow_at: IN_7_DAYS }));

  it('contains the failure', () =>
    expect(
      renderRecorded(payments, 'pay_1', started, {
        type: 'PaymentFailed',
        data: { ...ids, code: 'card_declined', detail: 'No.', hard: false, at: NOW },
      }),
    ).toEqual({
      ...pending,
      status: 'failed',
      failure: { code: 'card_declined', detail: 'No.' },
    }));

  describe('with a refund', () => {
    const facts = { ...ids, refundId: 'ref_1', invoiceId: 'inv_1', businessId: 'biz_1', buyer: ada, amountCents: 1000 };
    const refund = { ...facts, currency: 'EUR', at: NOW };
    const requested: PaymentEvent = {
      type: 'RefundRequested',
      data: { ...refund, subscriptionId: null, reason: null, note: null, feeCents: 75, fundsReleased: false },
    };
    const refunded: PaymentEvent = { type: 'RefundSucceeded', data: { ...refund, gatewayReference: 'sim_2' } };
    const returned = { ...refund, feeChangeCents: 0, fundsReleased: false };
    const fail = (reversed: boolean): PaymentEvent => ({
      type: 'RefundFailed',
      data: { ...returned, code: 'refund_declined', detail: 'No.', reversed },
    });

    it.each<[string, PaymentEvent[], object]>([
      ['is requested', [], { refunded_amount_cents: 0, refundable_amount_cents: 1500 }],
      ['succeeds', [refunded], { refunded_amount_cents: 1000, refundable_amount_cents: 1500 }],
      ['is rejected', [{ type: 'RefundRejected', data: returned }], paid],
      ['fails', [fail(false)], paid],
      ['fails after its success', [refunded, fail(true)], paid],
    ])('shows what a further refund may take when the first one %s', (_, events, expected) =>
      expect(renderRecorded(payments, 'pay_1', started, succeeded, requested, ...events)).toMatchObject(expected),
    );
  });
});
