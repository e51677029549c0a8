import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  describe,
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

const invoiceLineSchema = object({
  id: describe(id('li'), 'The id of the line, the same as in its order.'),
  ...lineFields,
  name: describe(string, 'The name of the product when it was billed.'),
  discount_amount_cents: describe(centsSchema, 'The discount on the line, in cents.'),
});

export const invoiceSchema = resource('Invoice', {
  ...resourceFields('invoice', 'inv'),
  ...totalsFields,
  number: describe(
    string,
    'The year and a number that counts without gaps in the business and the mode.',
    '2026-000001',
  ),
  status: describe(
    enumOf(...INVOICE_STATUSES),
    'Whether the invoice waits for its payment (`open`), is paid (`paid`), is no longer payable (`void`), or was not paid after the last retry (`uncollectible`).',
  ),
  kind: describe(
    enumOf(...INVOICE_KINDS),
    'Whether the invoice is for a checkout (`sale`), or for a later period or part (`renewal`).',
  ),
  buyer: describe(buyerSchema, 'The person who pays.'),
  order: describe(
    ref('order', 'ord'),
    'The order that is billed, or that started the subscription or the installments.',
  ),
  subscription: describe(nullable(ref('subscription', 'ps')), 'The subscription whose period is billed, or null.'),
  payment: describe(
    nullable(ref('payment', 'pay')),
    'The payment that paid the invoice; null before that, and when nothing was due.',
  ),
  lines: describe(list(invoiceLineSchema), 'The products that are billed.'),
  paid_amount_cents: describe(centsSchema, 'The amount that was paid, in cents.'),
  refunded_amount_cents: describe(centsSchema, 'The amount that was refunded of it, in cents.'),
  currency,
  issued_at: describe(dateTime, 'The time at which the invoice was issued.'),
  due_at: describe(dateTime, 'The time at which the amount is due, the same as that of the issue.'),
  paid_at: describe(nullable(dateTime), 'The time at which the invoice was paid, or null before that.'),
  voided_at: describe(nullable(dateTime), 'The time at which the invoice was voided, or null before that.'),
});

export type InvoiceLineDocument = ValueOf<typeof invoiceLineSchema>;

export interface InvoiceDocument extends DocumentOf<typeof invoiceSchema>, Owned {}

type Event<T extends InvoiceEvent['type']> = EventOf<InvoiceEvent, T>;

/** The stream of a payment holds the events of its refunds. */
export const invoices: Projection<InvoiceDocument, InvoiceEvent | RefundOutcome> = {
  name: 'invoices',
  version: 7,
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
