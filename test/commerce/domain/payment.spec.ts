import { type Charge, chargeKeyOf } from '../../../src/commerce/domain/charge.js';
import { paymentDecider, type PaymentEvent } from '../../../src/commerce/domain/payment.js';
import { given } from '../../support/given.js';
import { ada, EARLIER, IN_7_DAYS, NOW } from './facts.js';

const charge: Charge = {
  paymentId: 'pay_1',
  businessId: 'biz_1',
  kind: 'initial',
  orderId: 'ord_1',
  subscriptionId: null,
  invoiceId: 'inv_1',
  buyer: ada,
  amountCents: 2550,
  currency: 'EUR',
  gateway: 'simulated',
  methodToken: 'tok_ok',
};
const ids = { paymentId: 'pay_1', orderId: 'ord_1' };
const visa = { type: 'card', brand: 'visa', last4: '4242' };
const settle = (result: Extract<Parameters<typeof paymentDecider.decide>[0], { type: 'SettlePayment' }>['result']) =>
  ({ type: 'SettlePayment', result }) as const;
const success = settle({ status: 'succeeded', reference: 'sim_1', method: visa });
const decline = settle({ status: 'declined', code: 'card_declined', detail: 'No.', hard: false, method: null });

const started: PaymentEvent = { type: 'PaymentStarted', data: { ...charge, at: EARLIER } };
const unsettled = (outcome: 'pending' | 'unknown', checkAt: string): PaymentEvent => ({
  type: 'PaymentUnsettled',
  data: { ...ids, outcome, checkAt, at: NOW },
});
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: {
    ...ids,
    businessId: 'biz_1',
    invoiceId: 'inv_1',
    buyer: ada,
    currency: 'EUR',
    gatewayReference: 'sim_1',
    method: visa,
    feeCents: 77,
    netCents: 2473,
    fundsAt: IN_7_DAYS,
    at: NOW,
  },
};
const failed: PaymentEvent = {
  type: 'PaymentFailed',
  data: { ...ids, code: 'card_declined', detail: 'No.', hard: false, method: null, at: NOW },
};

describe('A payment', () => {
  it('has a gateway key that says whether it follows the initial charge', () => {
    expect(chargeKeyOf(charge)).toBe('pay_1:tok_ok');
    for (const kind of ['renewal', 'installment'] as const)
      expect(chargeKeyOf({ ...charge, kind })).toBe('renewal:pay_1:tok_ok');
  });

  it('is started once', () => {
    given(paymentDecider)
      .when({ type: 'StartPayment', charge })
      .then({ type: 'PaymentStarted', data: { ...charge, at: NOW } });
    given(paymentDecider, started).when({ type: 'StartPayment', charge }).thenNothing();
  });

  it('succeeds with the fee deducted and the funds released in 7 days', () =>
    given(paymentDecider, started).when(success).then(succeeded));

  it('fails with the code and detail of the gateway', () => given(paymentDecider, started).when(decline).then(failed));

  it('schedules a status check in 1 hour while pending, and in 1 second after a lost response', () => {
    given(paymentDecider, started)
      .when(settle({ status: 'pending' }))
      .then(unsettled('pending', '2026-02-01T10:00:00.000Z'));
    given(paymentDecider, started)
      .when(settle({ status: 'unknown' }))
      .then(unsettled('unknown', '2026-02-01T09:00:01.000Z'));
  });

  it('records no further event while the charge is unsettled', () => {
    const waiting = [started, unsettled('pending', NOW)] as const;
    given(paymentDecider, ...waiting)
      .when(settle({ status: 'pending' }))
      .thenNothing();
    given(paymentDecider, ...waiting)
      .when(success)
      .then(succeeded);
    given(paymentDecider, ...waiting)
      .when(decline)
      .then(failed);
  });

  it('is settled once', () => {
    given(paymentDecider, started, succeeded).when(decline).thenNothing();
    given(paymentDecider, started, failed).when(success).thenNothing();
  });

  it('releases its funds once, and only after success', () => {
    const released: PaymentEvent = {
      type: 'FundsReleased',
      data: {
        paymentId: 'pay_1',
        businessId: 'biz_1',
        currency: 'EUR',
        availableCents: 2473,
        cashFlowAt: IN_7_DAYS,
        at: NOW,
      },
    };
    given(paymentDecider, started, succeeded).when({ type: 'ReleaseFunds' }).then(released);
    given(paymentDecider, started, succeeded, released).when({ type: 'ReleaseFunds' }).thenNothing();
    given(paymentDecider, started, failed).when({ type: 'ReleaseFunds' }).thenNothing();
  });

  it('refuses a result before it is started', () => given(paymentDecider).when(success).thenRejects('not_found'));
});
