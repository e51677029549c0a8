import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  list,
  nullable,
  object,
  ref,
  resource,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import { INVOICE_KINDS, INVOICE_STATUSES, type InvoiceEvent, type InvoiceLine } from '../domain/invoice.js';
import { type RefundOutcome, toRefundedCents } from '../domain/refund.js';
import {
  BUYER_PATH,
  buyerSchema,
  centsSchema,
  lineFields,
  resourceFields,
  toBuyerDocument,
  toResourceValues,
  totalsFields,
  toTotalsDocument,
} from './resources.js';

const invoiceLineSchema = object({ id: id('li'), ...lineFields, name: string, discount_amount_cents: centsSchema });

export const invoiceSchema = resource('Invoice', {
  ...resourceFields('invoice', 'inv'),
  ...totalsFields,
  number: string,
  status: enumOf(...INVOICE_STATUSES),
  kind: enumOf(...INVOICE_KINDS),
  buyer: buyerSchema,
  order: ref('order', 'ord'),
  subscription: nullable(ref('subscription', 'ps')),
  payment: nullable(ref('payment', 'pay')),
  lines: list(invoiceLineSchema),
  paid_amount_cents: centsSchema,
  refunded_amount_cents: centsSchema,
  currency,
  issued_at: dateTime,
  due_at: dateTime,
  paid_at: nullable(dateTime),
  voided_at: nullable(dateTime),
});

export type InvoiceLineDocument = ValueOf<typeof invoiceLineSchema>;

export interface InvoiceDocument extends DocumentOf<typeof invoiceSchema>, Owned {}

type Event<T extends InvoiceEvent['type']> = EventOf<InvoiceEvent, T>;

/** The stream of a payment holds the events of its refunds. */
export const invoices: Projection<InvoiceDocument, InvoiceEvent | RefundOutcome> = {
  name: 'invoices',
  version: 6,
  id: pickId('invoiceId'),
  ...declareLists([[], ['status'], ['kind'], ['status', 'kind']], [['order.id'], ['subscription.id'], [BUYER_PATH]]),
  on: {
    InvoiceIssued: (_, event) => toInvoiceDocument(event),
    InvoicePaid: (invoice, { data: { paymentId, paidCents, at } }) =>
      invoice && {
        ...invoice,
        status: 'paid',
        payment: optionalReference('payment', paymentId),
        paid_amount_cents: paidCents,
        paid_at: at,
      },
    InvoiceVoided: (invoice, { data: { at } }) => invoice && { ...invoice, status: 'void', voided_at: at },
    InvoiceMarkedUncollectible: (invoice) => invoice && { ...invoice, status: 'uncollectible' },
    RefundSucceeded: (invoice, { data }) => invoice && addRefund(invoice, data),
    RefundFailed: (invoice, { data }) => invoice && addRefund(invoice, data),
  },
};

function toInvoiceDocument(event: Event<'InvoiceIssued'>): InvoiceDocument {
  const { invoiceId, number, kind, buyer, orderId, subscriptionId, lines, currency, dueAt, at } = event.data;
  return {
    ...toResourceValues('invoice', invoiceId, event),
    number,
    status: 'open',
    kind,
    buyer: toBuyerDocument(buyer),
    order: toReference('order', orderId),
    subscription: optionalReference('subscription', subscriptionId),
    payment: null,
    lines: lines.map(toLineDocument),
    ...toTotalsDocument(event.data),
    paid_amount_cents: 0,
    refunded_amount_cents: 0,
    currency,
    issued_at: at,
    due_at: dueAt,
    paid_at: null,
    voided_at: null,
  };
}

function toLineDocument({
  lineId,
  productId,
  planId,
  name,
  quantity,
  unitAmountCents,
  amountCents,
  discountCents = 0,
}: InvoiceLine): InvoiceLineDocument {
  return {
    id: lineId,
    product: toReference('product', productId),
    plan: toReference('payment_plan', planId),
    name,
    quantity,
    unit_amount_cents: unitAmountCents,
    discount_amount_cents: discountCents,
    amount_cents: amountCents - discountCents,
  };
}

function addRefund(invoice: InvoiceDocument, data: RefundOutcome['data']): InvoiceDocument {
  return { ...invoice, refunded_amount_cents: invoice.refunded_amount_cents + toRefundedCents(data) };
}
