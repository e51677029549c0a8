import { payment, type Charge, type PaymentEvent } from '../../../src/commerce/domain/payment.js';
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
const of = { paymentId: 'pay_1', orderId: 'ord_1' };
const visa = { type: 'card', brand: 'visa', last4: '4242' };
const settle = (result: Extract<Parameters<typeof payment.decide>[0], { type: 'SettlePayment' }>['result']) =>
  ({ type: 'SettlePayment', result }) as const;
const success = settle({ status: 'succeeded', reference: 'sim_1', method: visa });
const decline = settle({ status: 'declined', code: 'card_declined', detail: 'No.', hard: false, method: null });

const started: PaymentEvent = { type: 'PaymentStarted', data: { ...charge, at: EARLIER } };
const awaited = (outcome: 'pending' | 'unknown', askAt: string): PaymentEvent => ({
  type: 'PaymentAwaited',
  data: { ...of, outcome, askAt, at: NOW },
});
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: { ...of, invoiceId: 'inv_1', gatewayReference: 'sim_1', method: visa, feeCents: 77, netCents: 2473, fundsAt: IN_7_DAYS, at: NOW },
};
const failed: PaymentEvent = {
  type: 'PaymentFailed',
  data: { ...of, code: 'card_declined', detail: 'No.', hard: false, method: null, at: NOW },
};

describe('A payment', () => {
  it('is started once', () => {
    given(payment)
      .when({ type: 'StartPayment', charge })
      .then({ type: 'PaymentStarted', data: { ...charge, at: NOW } });
    given(payment, started).when({ type: 'StartPayment', charge }).nothing();
  });

  it('succeeds with the fee deducted and the funds released in 7 days', () => given(payment, started).when(success).then(succeeded));

  it('fails with the code and detail of the gateway', () => given(payment, started).when(decline).then(failed));

  it('schedules a status check in 1 hour while pending, and in 1 second after a lost response', () => {
    given(payment, started)
      .when(settle({ status: 'pending' }))
      .then(awaited('pending', '2026-02-01T10:00:00.000Z'));
    given(payment, started)
      .when(settle({ status: 'unknown' }))
      .then(awaited('unknown', '2026-02-01T09:00:01.000Z'));
  });

  it('records no further event while the charge is unsettled', () => {
    const waiting = [started, awaited('pending', NOW)] as const;
    given(payment, ...waiting)
      .when(settle({ status: 'pending' }))
      .nothing();
    given(payment, ...waiting)
      .when(success)
      .then(succeeded);
    given(payment, ...waiting)
      .when(decline)
      .then(failed);
  });

  it('is settled once', () => {
    given(payment, started, succeeded).when(decline).nothing();
    given(payment, started, failed).when(success).nothing();
  });

  it('releases its funds once, and only after success', () => {
    const released: PaymentEvent = { type: 'FundsReleased', data: { paymentId: 'pay_1', cashFlowAt: IN_7_DAYS, at: NOW } };
    given(payment, started, succeeded).when({ type: 'ReleaseFunds' }).then(released);
    given(payment, started, succeeded, released).when({ type: 'ReleaseFunds' }).nothing();
    given(payment, started, failed).when({ type: 'ReleaseFunds' }).nothing();
  });

  it('refuses a result before it is started', () => given(payment).when(success).refuses('not_found'));
});
