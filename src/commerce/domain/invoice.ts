import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { Buyer } from './buyer.js';
import type { Totals } from './money.js';

export interface InvoiceLine {
  readonly lineId: string;
  readonly productId: string;
  readonly planId: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitAmountCents: number;
  readonly amountCents: number;
}

export interface InvoiceContent extends Totals {
  readonly invoiceId: string;
  readonly businessId: string;
  readonly number: string;
  readonly kind: 'sale' | 'renewal';
  readonly buyer: Buyer;
  readonly orderId: string;
  readonly subscriptionId: string | null;
  readonly lines: readonly InvoiceLine[];
  readonly currency: string;
}

export type InvoiceEvent =
  | Fact<'InvoiceIssued', InvoiceContent & { dueAt: string; at: string }>
  | Fact<'InvoicePaid', { invoiceId: string; paymentId: string | null; paidCents: number; at: string }>;

export type Invoice =
  { readonly status: 'unknown' } | { readonly status: 'open' | 'paid'; readonly content: InvoiceContent };

function evolve(invoice: Invoice, event: InvoiceEvent): Invoice {
  if (event.type === 'InvoiceIssued') return { status: 'open', content: event.data };
  if (invoice.status === 'unknown') return invoice;

  switch (event.type) {
    case 'InvoicePaid':
      return { ...invoice, status: 'paid' };
  }
}

/** `at` is the time of the payment, or of the order when nothing is due (`paymentId` null). */
export type InvoiceCommand = {
  readonly type: 'IssuePaidInvoice';
  readonly content: InvoiceContent;
  readonly paymentId: string | null;
  readonly at: string;
};

function decide({ content, paymentId, at }: InvoiceCommand, invoice: Invoice): readonly InvoiceEvent[] {
  if (invoice.status !== 'unknown') return [];
  return [
    { type: 'InvoiceIssued', data: { ...content, dueAt: at, at } },
    { type: 'InvoicePaid', data: { invoiceId: content.invoiceId, paymentId, paidCents: content.totalCents, at } },
  ];
}

export const invoiceDecider: Decider<Invoice, InvoiceCommand, InvoiceEvent> = {
  category: 'invoice',
  versions: { InvoiceIssued: 1, InvoicePaid: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
