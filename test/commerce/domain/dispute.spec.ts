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
  gateway: 'stripe',
  methodToken: 'pm_1',
} as const;
const started: PaymentEvent = { type: 'PaymentStarted', data: { ...charge, at: EARLIER } };
const method = { type: 'card', brand: 'visa', last4: '4242' };
const amounts = { feeCents: 77, netCents: 2473, fundsAt: IN_7_DAYS };
const succeeded: PaymentEvent = {
  type: 'PaymentSucceeded',
  data: {
    paymentId: 'pay_1',
    orderId: 'ord_1',
    invoiceId: 'inv_1',
    gatewayReference: 'pi_1',
    method,
    ...amounts,
    at: NOW,
  },
};
const dispute = { disputeId: 'dp_1', paymentId: 'pay_1', amountCents: 2550, currency: 'EUR', reason: 'fraudulent' };
const disputed: PaymentEvent = { type: 'PaymentDisputed', data: { ...dispute, at: NOW } };
const closed: PaymentEvent = {
  type: 'DisputeClosed',
  data: { disputeId: 'dp_1', paymentId: 'pay_1', outcome: 'won', at: NOW },
};
const record = (outcome: string | null) => ({ type: 'RecordDispute', dispute, outcome }) as const;

describe('A dispute of a payment', () => {
  it('is recorded once', () => {
    given(paymentDecider, started, succeeded).when(record(null)).then(disputed);
    given(paymentDecider, started, succeeded, disputed).when(record(null)).thenNothing();
  });

  it('is closed once, also when its beginning was never reported', () => {
    given(paymentDecider, started, succeeded, disputed).when(record('won')).then(closed);
    given(paymentDecider, started, succeeded).when(record('won')).then(disputed, closed);
    given(paymentDecider, started, succeeded, disputed, closed).when(record('won')).thenNothing();
    given(paymentDecider, started, succeeded, disputed, closed).when(record(null)).thenNothing();
  });

  it('is ignored without a succeeded payment, and refused without a payment', () => {
    given(paymentDecider, started).when(record(null)).thenNothing();
    given(paymentDecider).when(record(null)).thenRejects('not_found');
  });
});
