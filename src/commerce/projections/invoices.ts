import { idIn, type Changes, type EventOf, type Projection } from '../../kernel/projection.js';
import type { InvoiceEvent, InvoiceLine } from '../domain/invoice.js';
import { OWNER } from '../../kernel/ownership.js';
import { maybe, reference, type Reference } from '../../kernel/reference.js';
import { buyerDocument, resource, totalsDocument, type BuyerDocument, type Resource, type TotalsDocument } from './resources.js';

export interface InvoiceLineDocument {
  readonly id: string;
  readonly product: Reference<'product'>;
  readonly plan: Reference<'payment_plan'>;
  readonly name: string;
  readonly quantity: number;
  readonly unit_amount_cents: number;
  readonly amount_cents: number;
}

export interface InvoiceDocument extends Resource<'invoice'>, TotalsDocument {
  readonly number: string;
  readonly status: 'open' | 'paid' | 'void' | 'uncollectible';
  readonly kind: 'sale' | 'renewal';
  readonly buyer: BuyerDocument;
  readonly order: Reference<'order'>;
  readonly subscription: Reference<'subscription'> | null;
  readonly payment: Reference<'payment'> | null;
  readonly lines: readonly InvoiceLineDocument[];
  readonly paid_amount_cents: number;
  readonly refunded_amount_cents: number;
  readonly currency: string;
  readonly issued_at: string;
  readonly due_at: string;
  readonly paid_at: string | null;
  readonly voided_at: string | null;
}

type Event<T extends InvoiceEvent['type']> = EventOf<InvoiceEvent, T>;

export const invoices: Projection<InvoiceDocument> = {
  name: 'invoices',
  version: 2,
  id: idIn('invoiceId'),
  indexes: [[...OWNER, 'created_at']],
  totals: [OWNER],
  hourly: [{ group: OWNER, times: ['created_at'] }],
  on: {
    InvoiceIssued: (_, event: Event<'InvoiceIssued'>) => issued(event),
    InvoicePaid: (invoice, { data: { paymentId, paidCents, at } }: Event<'InvoicePaid'>) =>
      invoice && { ...invoice, status: 'paid', payment: maybe('payment', paymentId), paid_amount_cents: paidCents, paid_at: at },
  } satisfies Changes<InvoiceDocument, InvoiceEvent>,
};

function issued(event: Event<'InvoiceIssued'>): InvoiceDocument {
  const { invoiceId, number, kind, buyer, orderId, subscriptionId, lines, currency, dueAt, at } = event.data;
  return {
    ...resource('invoice', invoiceId, event),
    number,
    status: 'open',
    kind,
    buyer: buyerDocument(buyer),
    order: reference('order', orderId),
    subscription: maybe('subscription', subscriptionId),
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
