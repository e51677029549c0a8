import type { Charge } from '../../../src/commerce/domain/charge.js';
import { paymentDecider, type PaymentEvent } from '../../../src/commerce/domain/payment.js';
import type { RefundEvent, RefundFacts } from '../../../src/commerce/domain/refund.js';
import type { RefundCommand } from '../../../src/commerce/domain/refund-decisions.js';
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
  amountCents: 10_000,
  currency: 'EUR',
  gateway: 'simulated',
  methodToken: 'tok_ok',
};
const started: PaymentEvent = { type: 'PaymentStarted', data: { ...charge, at: EARLIER } };
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: {
    paymentId: 'pay_1',
    orderId: 'ord_1',
    invoiceId: 'inv_1',
    gatewayReference: 'sim_1',
    method: { type: 'card', brand: 'visa', last4: '4242' },
    feeCents: 300,
    netCents: 9_700,
    fundsAt: IN_7_DAYS,
    at: EARLIER,
  },
};
const released: PaymentEvent = { type: 'FundsReleased', data: { paymentId: 'pay_1', cashFlowAt: NOW, at: NOW } };
const paid = [started, succeeded] as const;

const facts = (refundId: string, amountCents: number): RefundFacts => {
  const ids = { paymentId: 'pay_1', orderId: 'ord_1', invoiceId: 'inv_1', businessId: 'biz_1' };
  return { refundId, ...ids, buyer: ada, amountCents, currency: 'EUR' };
};
const terms = (refundId: string, amountCents: number | null, currency: string | null = null) => {
  return { refundId, amountCents, currency, reason: 'duplicate', note: 'Sorry.' } as const;
};
const request = (refundId: string, amountCents: number | null, currency: string | null = null) =>
  ({ type: 'RequestRefund', terms: terms(refundId, amountCents, currency) }) as const;
const requested = (refundId: string, amountCents: number, feeCents: number): RefundEvent => ({
  type: 'RefundRequested',
  data: {
    ...facts(refundId, amountCents),
    subscriptionId: null,
    reason: 'duplicate',
    note: 'Sorry.',
    feeCents,
    fundsReleased: false,
    at: NOW,
  },
});
const end = (feeChangeCents: number, fundsReleased = false) => ({ feeChangeCents, fundsReleased, at: NOW });
const settle = (refundId: string, result: Extract<RefundCommand, { type: 'SettleRefund' }>['result']) =>
  ({ type: 'SettleRefund', refundId, result }) as const;

const success = settle('ref_1', { status: 'succeeded', reference: 'sim_r' });
const decline = settle('ref_1', { status: 'declined', code: 'lost', detail: 'No.' });
const refunded: RefundEvent = {
  type: 'RefundSucceeded',
  data: { ...facts('ref_1', 6_000), gatewayReference: 'sim_r', at: NOW },
};
const declined = (feeChangeCents: number, reversed = false): RefundEvent => ({
  type: 'RefundFailed',
  data: { ...facts('ref_1', 6_000), ...end(feeChangeCents), code: 'lost', detail: 'No.', reversed },
});
const unsettled = (outcome: 'pending' | 'unknown', checkAt: string): RefundEvent => ({
  type: 'RefundUnsettled',
  data: { ...facts('ref_1', 6_000), outcome, checkAt, at: NOW },
});

const first = requested('ref_1', 6_000, 300);
const second = requested('ref_2', 4_000, 0);

describe('A refund', () => {
  it('is requested once, and the first one brings the fee of the payment', () => {
    given(paymentDecider, ...paid)
      .when(request('ref_1', 6_000))
      .then(first);
    given(paymentDecider, ...paid, first)
      .when(request('ref_1', 6_000))
      .thenNothing();
    given(paymentDecider, ...paid, first)
      .when(request('ref_2', 4_000, 'EUR'))
      .then(second);
  });

  it('takes all that remains without an amount', () =>
    given(paymentDecider, ...paid, first)
      .when(request('ref_2', null))
      .then(second));

  it.each<[string, readonly PaymentEvent[], RefundCommand, string]>([
    ['of an unknown payment', [], request('ref_1', 1), 'not_found'],
    ['of a payment that has not succeeded', [started], request('ref_1', 1, 'USD'), 'payment_not_refundable'],
    ['of nothing', [...paid, first, second], request('ref_3', 1, 'USD'), 'payment_already_refunded'],
    ['of more than remains', [...paid, first], request('ref_2', 4_001, 'USD'), 'refund_amount_exceeds_refundable'],
    ['in another currency', [...paid, first], request('ref_2', 4_000, 'USD'), 'currency_mismatch'],
    ['that was not requested', paid, success, 'not_found'],
  ])('is refused %s', (_, history, command, code) => {
    given(paymentDecider, ...history)
      .when(command)
      .thenRejects(code);
  });

  it('succeeds once, after it was requested or unsettled', () => {
    given(paymentDecider, ...paid, first)
      .when(success)
      .then(refunded);
    given(paymentDecider, ...paid, first, unsettled('pending', NOW))
      .when(success)
      .then(refunded);
    given(paymentDecider, ...paid, first, refunded)
      .when(success)
      .thenNothing();
    given(paymentDecider, ...paid, first, refunded)
      .when(decline)
      .thenNothing();
  });

  it('gets a status check in 1 hour while pending, and in 1 second after a lost response', () => {
    given(paymentDecider, ...paid, first)
      .when(settle('ref_1', { status: 'pending' }))
      .then(unsettled('pending', '2026-02-01T10:00:00.000Z'));
    given(paymentDecider, ...paid, first)
      .when(settle('ref_1', { status: 'unknown' }))
      .then(unsettled('unknown', '2026-02-01T09:00:01.000Z'));
    given(paymentDecider, ...paid, first, unsettled('pending', NOW))
      .when(settle('ref_1', { status: 'unknown' }))
      .thenNothing();
  });

  it('frees the amount when the gateway declines, and the fee with the last refund of the payment', () => {
    given(paymentDecider, ...paid, first)
      .when(decline)
      .then(declined(-300));
    given(paymentDecider, ...paid, first, second)
      .when(decline)
      .then(declined(0));
    given(paymentDecider, ...paid, first, declined(-300))
      .when(request('ref_3', 10_000))
      .then(requested('ref_3', 10_000, 300));
  });

  it('is restored by a late reversal, once', () => {
    const reverse = { type: 'ReverseRefund', refundId: 'ref_1', code: 'lost', detail: 'No.' } as const;
    given(paymentDecider, ...paid, first, refunded)
      .when(reverse)
      .then(declined(-300, true));
    given(paymentDecider, ...paid, first, refunded, declined(-300, true))
      .when(reverse)
      .thenNothing();
  });

  describe('that the balance of the seller refuses', () => {
    const reject = (refundId: string) => ({ type: 'RejectRefund', refundId }) as const;
    const rejected = (refundId: string, amountCents: number, feeChangeCents: number): RefundEvent => ({
      type: 'RefundRejected',
      data: { ...facts(refundId, amountCents), ...end(feeChangeCents) },
    });

    it('frees the amount once, and only before the gateway was asked', () => {
      given(paymentDecider, ...paid, first)
        .when(reject('ref_1'))
        .then(rejected('ref_1', 6_000, 0));
      given(paymentDecider, ...paid, first, rejected('ref_1', 6_000, 0))
        .when(reject('ref_1'))
        .thenNothing();
      given(paymentDecider, ...paid, first, refunded)
        .when(reject('ref_1'))
        .thenNothing();
    });

    it('leaves the fee to another refund of the payment, which takes it back', () => {
      given(paymentDecider, ...paid, first, second)
        .when(reject('ref_1'))
        .then(rejected('ref_1', 6_000, 300));
      given(paymentDecider, ...paid, first, second, rejected('ref_1', 6_000, 300))
        .when(reject('ref_2'))
        .then(rejected('ref_2', 4_000, -300));
    });
  });

  it('leaves the funds that the payment releases', () => {
    given(paymentDecider, ...paid, first)
      .when({ type: 'ReleaseFunds' })
      .then({
        type: 'FundsReleased',
        data: {
          paymentId: 'pay_1',
          businessId: 'biz_1',
          currency: 'EUR',
          availableCents: 3_700,
          cashFlowAt: IN_7_DAYS,
          at: NOW,
        },
      });
    given(paymentDecider, ...paid, first, released)
      .when(decline)
      .then({ type: 'RefundFailed', data: { ...declined(-300).data, fundsReleased: true } } as RefundEvent);
  });
});
