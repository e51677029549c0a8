import { idIn, type EventOf, type Projection } from '../../kernel/projection.js';
import type { InvoiceEvent, InvoiceLine } from '../domain/invoice.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import { optionalReference, reference } from '../../kernel/reference.js';
import {
  currency,
  type DocumentOf,
  id,
  list,
  nullable,
  object,
  one,
  refer,
  resource,
  text,
  time,
  type ValueOf,
} from '../../kernel/schema.js';
import { begin, begun, buyer, buyerDocument, cents, line, totals, totalsDocument } from './resources.js';

const invoiceLine = object({ id: id('li'), ...line, name: text });

export const invoiceSchema = resource('Invoice', {
  ...begun('invoice', 'inv'),
  ...totals,
  number: text,
  status: one('open', 'paid', 'void', 'uncollectible'),
  kind: one('sale', 'renewal'),
  buyer,
  order: refer('order', 'ord'),
  subscription: nullable(refer('subscription', 'ps')),
  payment: nullable(refer('payment', 'pay')),
  lines: list(invoiceLine),
  paid_amount_cents: cents,
  refunded_amount_cents: cents,
  currency,
  issued_at: time,
  due_at: time,
  paid_at: nullable(time),
  voided_at: nullable(time),
});

export type InvoiceLineDocument = ValueOf<typeof invoiceLine>;

export interface InvoiceDocument extends DocumentOf<typeof invoiceSchema>, Owned {}

type Event<T extends InvoiceEvent['type']> = EventOf<InvoiceEvent, T>;

export const invoices: Projection<InvoiceDocument, InvoiceEvent> = {
  name: 'invoices',
  version: 2,
  id: idIn('invoiceId'),
  indexes: [[...OWNER, 'created_at']],
  totals: [OWNER],
  hourly: [{ group: OWNER, times: ['created_at'] }],
  on: {
    InvoiceIssued: (_, event) => issued(event),
    InvoicePaid: (invoice, { data: { paymentId, paidCents, at } }) =>
      invoice && {
        ...invoice,
        status: 'paid',
        payment: optionalReference('payment', paymentId),
        paid_amount_cents: paidCents,
        paid_at: at,
      },
  },
};

function issued(event: Event<'InvoiceIssued'>): InvoiceDocument {
  const { invoiceId, number, kind, buyer, orderId, subscriptionId, lines, currency, dueAt, at } = event.data;
  return {
    ...begin('invoice', invoiceId, event),
    number,
    status: 'open',
    kind,
    buyer: buyerDocument(buyer),
    order: reference('order', orderId),
    subscription: optionalReference('subscription', subscriptionId),
    payment: null,
    lines: lines.map(lineDocument),
    ...totalsDocument(event.data),
    paid_amount_cents: 0,
    refunded_amount_cents: 0,
    currency,
    issued_at: at,
    due_at: dueAt,
    paid_at: null,
    voided_at: null,
  };
}

function lineDocument({ lineId, productId, planId, name, quantity, unitAmountCents, amountCents }: InvoiceLine): InvoiceLineDocument {
  return {
    id: lineId,
    product: reference('product', productId),
    plan: reference('payment_plan', planId),
    name,
    quantity,
    unit_amount_cents: unitAmountCents,
    amount_cents: amountCents,
  };
}
