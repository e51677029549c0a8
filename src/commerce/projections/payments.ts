import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  nullable,
  object,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import type { PaymentEvent } from '../domain/payment.js';
import { toRefundedCents } from '../domain/refund.js';
import {
  BUYER_PATH,
  buyerSchema,
  centsSchema,
  refundStatusSchema,
  resourceFields,
  toBuyerDocument,
  toRefundStatus,
  toResourceValues,
} from './resources.js';

export const paymentSchema = resource('Payment', {
  ...resourceFields('payment', 'pay'),
  status: describe(
    enumOf('pending', 'succeeded', 'failed'),
    'Whether the result is not known yet (`pending`), the buyer has paid (`succeeded`), or the charge was refused (`failed`).',
  ),
  refund_status: describe(
    refundStatusSchema,
    'Whether nothing (`none`), a part (`partial`) or all (`full`) of the payment is refunded.',
  ),
  kind: describe(
    enumOf('initial', 'renewal', 'installment'),
    'Whether the payment is for a checkout (`initial`), a later period of a subscription (`renewal`), or a later part of installments (`installment`).',
  ),
  order: describe(ref('order', 'ord'), 'The order that is paid, or that started the subscription or the installments.'),
  subscription: describe(
    nullable(ref('subscription', 'ps')),
    'The subscription whose period is paid; null for a payment of another kind.',
  ),
  invoice: describe(
    nullable(ref('invoice', 'inv')),
    'The invoice that is paid; null for a checkout until its payment succeeds.',
  ),
  buyer: describe(buyerSchema, 'The person who pays.'),
  amount_cents: describe(centsSchema, 'The amount that the buyer is charged, in cents.'),
  refunded_amount_cents: describe(centsSchema, 'The amount that was refunded, in cents.'),
  refundable_amount_cents: describe(
    centsSchema,
    'The amount that can still be refunded, in cents: all of it less the refunds that succeeded or are pending and the disputes that are open or lost; 0 until the payment succeeds.',
  ),
  fee_cents: describe(
    centsSchema,
    'The fee of the platform, in cents; 0 until the payment succeeds. A refund does not return it.',
  ),
  net_amount_cents: describe(centsSchema, 'The amount less the fee, in cents; 0 until the payment succeeds.'),
  currency,
  method: describe(
    nullable(
      object({
        type: describe(string, 'The type of the payment method.', 'card'),
        brand: describe(nullable(string), 'The brand of the card, or null.', 'visa'),
        last4: describe(nullable(string), 'The last four digits of the card, or null.', '4242'),
      }),
    ),
    'The payment method that was charged; null while it is not known.',
  ),
  gateway: describe(string, 'The payment gateway: `stripe`, or `simulated`, which moves no money.', 'simulated'),
  gateway_reference: describe(
    nullable(string),
    'The id of the charge at the gateway; null until the payment succeeds.',
    'sim_6e8f1c0a9b7d4e2f5a3c1b0d',
  ),
  failure: describe(
    nullable(
      object({
        code: describe(string, 'The code of the reason, from the gateway.', 'card_declined'),
        detail: describe(string, 'The reason in a sentence.', 'The card was declined.'),
      }),
    ),
    'The reason of a failed payment, or null.',
  ),
  cash_flow_at: describe(
    nullable(dateTime),
    'The time at which the funds were released to the seller, or null before that.',
  ),
});

export interface PaymentDocument extends DocumentOf<typeof paymentSchema>, Owned {
  /** The amount less refunds and disputes; negative when a dispute takes what is refunded already. */
  readonly _left: number;
}

type Event<T extends PaymentEvent['type']> = EventOf<PaymentEvent, T>;

export const payments: Projection<PaymentDocument, PaymentEvent> = {
  name: 'payments',
  version: 8,
  id: pickId('paymentId'),
  indexes: [
    [...OWNER_INDEX, 'created_at'],
    // This index alone covers both ranges, the order and the count.
    [...OWNER_INDEX, 'cash_flow_at', 'created_at'],
    [...OWNER_INDEX, BUYER_PATH, 'created_at'],
  ],
  totals: [OWNER_INDEX],
  hourly: [
    { group: OWNER_INDEX, times: ['created_at', 'cash_flow_at'] },
    { group: OWNER_INDEX, times: ['cash_flow_at', 'created_at'] },
  ],
  on: {
    PaymentStarted: (_, event) => toPaymentDocument(event),
    PaymentUnsettled: (payment) => payment,
    PaymentSucceeded: (payment, event) => payment && completePayment(payment, event),
    PaymentFailed: (payment, { data: { code, detail, method = null } }) =>
      payment && { ...payment, status: 'failed', method, failure: { code, detail } },
    FundsReleased: (payment, { data }) => payment && { ...payment, cash_flow_at: data.cashFlowAt },
    PaymentDisputed: (payment, { data }) => payment && addRefundable(payment, data.changeCents ?? 0),
    DisputeFeeCharged: (payment) => payment,
    DisputeClosed: (payment, { data }) => payment && addRefundable(payment, data.returnedCents ?? 0),
    RefundRequested: (payment, { data }) => payment && addRefundable(payment, -data.amountCents),
    RefundRejected: (payment, { data }) => payment && addRefundable(payment, data.amountCents),
    RefundUnsettled: (payment) => payment,
    RefundSucceeded: (payment, { data }) => payment && addRefunded(payment, toRefundedCents(data)),
    RefundFailed: (payment, { data }) =>
      payment && addRefundable(addRefunded(payment, toRefundedCents(data)), data.amountCents),
  },
};

function toPaymentDocument(event: Event<'PaymentStarted'>): PaymentDocument {
  const { paymentId, kind, orderId, subscriptionId, invoiceId, buyer, amountCents, currency, gateway } = event.data;
  return {
    ...toResourceValues('payment', paymentId, event),
    status: 'pending',
    refund_status: 'none',
    kind,
    order: toReference('order', orderId),
    subscription: optionalReference('subscription', subscriptionId),
    // The invoice of an order is issued when its payment succeeds; later charges pay an invoice that exists.
    invoice: kind === 'initial' ? null : toReference('invoice', invoiceId),
    buyer: toBuyerDocument(buyer),
    amount_cents: amountCents,
    refunded_amount_cents: 0,
    refundable_amount_cents: 0,
    fee_cents: 0,
    net_amount_cents: 0,
    currency,
    method: null,
    gateway,
    gateway_reference: null,
    failure: null,
    cash_flow_at: null,
    _left: 0,
  };
}

function completePayment(payment: PaymentDocument, { data }: Event<'PaymentSucceeded'>): PaymentDocument {
  return {
    ...payment,
    status: 'succeeded',
    invoice: toReference('invoice', data.invoiceId),
    refundable_amount_cents: payment.amount_cents,
    _left: payment.amount_cents,
    fee_cents: data.feeCents,
    net_amount_cents: data.netCents,
    method: data.method,
    gateway_reference: data.gatewayReference,
  };
}

/** A refund or a dispute takes its amount from the refundable one, and returns it when the buyer does not get it. */
function addRefundable(payment: PaymentDocument, changeCents: number): PaymentDocument {
  const _left = payment._left + changeCents;
  return { ...payment, refundable_amount_cents: Math.max(0, _left), _left };
}

function addRefunded(payment: PaymentDocument, changeCents: number): PaymentDocument {
  const refunded = payment.refunded_amount_cents + changeCents;
  return {
    ...payment,
    refunded_amount_cents: refunded,
    refund_status: toRefundStatus(refunded, payment.amount_cents),
  };
}
