import { type Owned, OWNER_INDEX } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
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
  status: enumOf('pending', 'succeeded', 'failed'),
  refund_status: refundStatusSchema,
  kind: enumOf('initial', 'renewal', 'installment'),
  order: ref('order', 'ord'),
  subscription: nullable(ref('subscription', 'ps')),
  invoice: nullable(ref('invoice', 'inv')),
  buyer: buyerSchema,
  amount_cents: centsSchema,
  refunded_amount_cents: centsSchema,
  refundable_amount_cents: centsSchema,
  fee_cents: centsSchema,
  net_amount_cents: centsSchema,
  currency,
  method: nullable(object({ type: string, brand: nullable(string), last4: nullable(string) })),
  gateway: string,
  gateway_reference: nullable(string),
  failure: nullable(object({ code: string, detail: string })),
  cash_flow_at: nullable(dateTime),
});

export interface PaymentDocument extends DocumentOf<typeof paymentSchema>, Owned {}

type Event<T extends PaymentEvent['type']> = EventOf<PaymentEvent, T>;

export const payments: Projection<PaymentDocument, PaymentEvent> = {
  name: 'payments',
  version: 6,
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
    PaymentDisputed: (payment) => payment,
    DisputeClosed: (payment) => payment,
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
  };
}

function completePayment(payment: PaymentDocument, { data }: Event<'PaymentSucceeded'>): PaymentDocument {
  return {
    ...payment,
    status: 'succeeded',
    invoice: toReference('invoice', data.invoiceId),
    refundable_amount_cents: payment.amount_cents,
    fee_cents: data.feeCents,
    net_amount_cents: data.netCents,
    method: data.method,
    gateway_reference: data.gatewayReference,
  };
}

/** A refund takes its amount from the refundable one when it is requested, and returns it when it fails. */
function addRefundable(payment: PaymentDocument, changeCents: number): PaymentDocument {
  return { ...payment, refundable_amount_cents: payment.refundable_amount_cents + changeCents };
}

function addRefunded(payment: PaymentDocument, changeCents: number): PaymentDocument {
  const refunded = payment.refunded_amount_cents + changeCents;
  return {
    ...payment,
    refunded_amount_cents: refunded,
    refund_status: toRefundStatus(refunded, payment.amount_cents),
  };
}
