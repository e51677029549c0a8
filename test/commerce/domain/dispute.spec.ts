import type { DisputeReport } from '../../../src/commerce/domain/dispute.js';
import { paymentDecider, type PaymentEvent } from '../../../src/commerce/domain/payment.js';
import { given } from '../../support/given.js';
import { ada, EARLIER, IN_7_DAYS, NOW } from './facts.js';

const charge = {
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
  methodToken: 'tok_disputed',
} as const;
const started: PaymentEvent = { type: 'PaymentStarted', data: { ...charge, at: EARLIER } };
const method = { type: 'card', brand: 'visa', last4: '4242' };
const amounts = { feeCents: 77, netCents: 2473, fundsAt: IN_7_DAYS };
const references = { paymentId: 'pay_1', orderId: 'ord_1', invoiceId: 'inv_1', gatewayReference: 'sim_1' };
const succeeded: PaymentEvent = { type: 'PaymentSucceeded', data: { ...references, method, ...amounts, at: NOW } };
const paid = [started, succeeded];

const terms = { gatewayReference: 'du_1', currency: 'EUR', reason: 'fraudulent', evidenceDueAt: IN_7_DAYS };
const record = (status: DisputeReport['status'], feeCents = 0, amountCents = 2550) =>
  ({ type: 'RecordDispute', report: { ...terms, status, feeCents, amountCents } }) as const;
const close = (outcome: 'won' | 'lost') => ({ type: 'CloseDispute', disputeId: 'dp_1', outcome }) as const;

const ids = { disputeId: 'dp_1', paymentId: 'pay_1', businessId: 'biz_1', currency: 'EUR' };
const disputedBy = (amountCents: number): PaymentEvent => ({
  type: 'PaymentDisputed',
  data: {
    ...ids,
    ...terms,
    orderId: 'ord_1',
    buyer: ada,
    amountCents,
    changeCents: -amountCents,
    fundsReleased: false,
    at: NOW,
  },
});
const disputed = disputedBy(2550);
const charged = (feeCents: number): PaymentEvent => ({
  type: 'DisputeFeeCharged',
  data: { ...ids, feeCents, changeCents: -feeCents, fundsReleased: false, at: NOW },
});
const closed = (outcome: string, returnedCents: number, feeCents = 0): PaymentEvent => ({
  type: 'DisputeClosed',
  data: { ...ids, outcome, returnedCents, changeCents: returnedCents + feeCents, fundsReleased: false, at: NOW },
});
const [won, lost] = [closed('won', 2550), closed('lost', 0)];

describe('A dispute of a payment', () => {
  it('takes its amount once', () => {
    given(paymentDecider, ...paid)
      .when(record('open'))
      .then(disputed);
    given(paymentDecider, ...paid, disputed)
      .when(record('open'))
      .thenNothing();
  });

  it('takes the fee of the gateway once, also when the gateway tells it later or raises it', () => {
    given(paymentDecider, ...paid)
      .when(record('open', 1500))
      .then(disputed, charged(1500));
    given(paymentDecider, ...paid, disputed)
      .when(record('open', 1500))
      .then(charged(1500));
    given(paymentDecider, ...paid, disputed, charged(1500))
      .when(record('open', 2000))
      .then(charged(500));
    given(paymentDecider, ...paid, disputed, charged(1500))
      .when(record('open', 1500))
      .thenNothing();
    given(paymentDecider, ...paid, disputed, charged(1500))
      .when(record('open'))
      .thenNothing();
  });

  it('gives back the amount and the fees when it is won, and nothing when it is lost', () => {
    given(paymentDecider, ...paid, disputed, charged(1500))
      .when(record('won', 1500))
      .then(closed('won', 2550, 1500));
    given(paymentDecider, ...paid, disputed, charged(1500))
      .when(record('lost', 1500))
      .then(lost);
  });

  it('is closed once, also when its beginning was never reported', () => {
    given(paymentDecider, ...paid)
      .when(record('won'))
      .then(disputed, won);
    for (const status of ['open', 'won', 'lost'] as const)
      given(paymentDecider, ...paid, disputed, won)
        .when(record(status))
        .thenNothing();
    given(paymentDecider, ...paid, disputed, lost)
      .when(record('open', 1500))
      .then(charged(1500));
    given(paymentDecider, ...paid, disputed, won)
      .when(record('open', 1500))
      .thenNothing();
  });

  it('that was lost is won after an appeal, and not the other way round', () => {
    given(paymentDecider, ...paid, disputed, lost)
      .when(record('won'))
      .then(won);
    given(paymentDecider, ...paid, disputed, lost, won)
      .when(record('lost'))
      .thenNothing();
  });

  it('is another one under another reference of the gateway', () => {
    const other = { ...record('open').report, gatewayReference: 'du_2' };
    const second = { ...disputed, data: { ...disputed.data, gatewayReference: 'du_2' } } as PaymentEvent;
    given(paymentDecider, ...paid, disputed, won)
      .when({ type: 'RecordDispute', report: other })
      .then(second);
  });

  it('is ignored without a succeeded payment, and refused without a payment', () => {
    given(paymentDecider, started).when(record('open')).thenNothing();
    given(paymentDecider).when(record('open')).thenRejects('not_found');
  });
});

describe('A dispute by the simulated gateway', () => {
  it('is closed on request, with one outcome', () => {
    given(paymentDecider, ...paid, disputed)
      .when(close('won'))
      .then(won);
    given(paymentDecider, ...paid, disputed, won)
      .when(close('won'))
      .thenNothing();
    given(paymentDecider, ...paid, disputed, won)
      .when(close('lost'))
      .thenRejects('dispute_closed', 'status');
    given(paymentDecider, ...paid)
      .when(close('won'))
      .thenRejects('not_found');
  });

  it('is not closed on request when another gateway decides it', () => {
    const byStripe: PaymentEvent = { type: 'PaymentStarted', data: { ...charge, gateway: 'stripe', at: EARLIER } };
    given(paymentDecider, byStripe, succeeded, disputed).when(close('won')).thenRejects('permission_denied');
  });
});

describe('A refund of a disputed payment', () => {
  const request = (amountCents: number | null) => {
    const details = { refundId: 'ref_1', amountCents, currency: null, reason: null, note: null };
    return { type: 'RequestRefund', terms: details } as const;
  };
  const refundedBy = (amountCents: number): PaymentEvent => ({
    type: 'RefundRequested',
    data: {
      refundId: 'ref_1',
      paymentId: 'pay_1',
      orderId: 'ord_1',
      invoiceId: 'inv_1',
      businessId: 'biz_1',
      subscriptionId: null,
      buyer: ada,
      amountCents,
      currency: 'EUR',
      reason: null,
      note: null,
      feeCents: 77,
      fundsReleased: false,
      at: NOW,
    },
  });
  const part = disputedBy(2000);

  it('takes at most what the dispute leaves, while it is open and when it is lost', () => {
    for (const history of [[part], [part, lost]]) {
      given(paymentDecider, ...paid, ...history)
        .when(request(551))
        .thenRejects('payment_disputed', 'amount_cents');
      given(paymentDecider, ...paid, ...history)
        .when(request(550))
        .then(refundedBy(550));
      given(paymentDecider, ...paid, ...history)
        .when(request(null))
        .then(refundedBy(550));
    }
  });

  it('is refused without an amount when the dispute leaves nothing', () =>
    given(paymentDecider, ...paid, disputedBy(3000))
      .when(request(null))
      .thenRejects('payment_disputed'));

  it('may take everything again when the dispute is won', () =>
    given(paymentDecider, ...paid, part, closed('won', 2000))
      .when(request(null))
      .then(refundedBy(2550)));

  it('is too large for the payment first', () =>
    given(paymentDecider, ...paid, part)
      .when(request(2551))
      .thenRejects('refund_amount_exceeds_refundable'));
});

describe('The funds of a disputed payment', () => {
  it('are released less the amount and the fees of its disputes', () => {
    const released = { paymentId: 'pay_1', businessId: 'biz_1', currency: 'EUR', cashFlowAt: IN_7_DAYS, at: NOW };
    const release = { type: 'ReleaseFunds' } as const;
    given(paymentDecider, ...paid, disputedBy(1000), charged(1500))
      .when(release)
      .then({ type: 'FundsReleased', data: { ...released, availableCents: -27 } });
    given(paymentDecider, ...paid, disputedBy(1000), closed('won', 1000))
      .when(release)
      .then({ type: 'FundsReleased', data: { ...released, availableCents: 2473 } });
  });
});

describe('A dispute that was recorded before disputes moved money', () => {
  const old = { disputeId: 'du_1', paymentId: 'pay_1' };
  const opened: PaymentEvent = {
    type: 'PaymentDisputed',
    data: { ...old, amountCents: 2550, currency: 'EUR', reason: 'fraudulent', at: NOW },
  };

  it('is known by its reference, has no fee, and gives back nothing when it is closed', () => {
    given(paymentDecider, ...paid, opened)
      .when(record('open', 1500))
      .thenNothing();
    given(paymentDecider, ...paid, opened)
      .when(record('won', 1500))
      .then({ type: 'DisputeClosed', data: { ...old, outcome: 'won', at: NOW } });
  });
});
