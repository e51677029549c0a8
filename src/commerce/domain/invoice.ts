import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Buyer } from './buyer.js';
import type { Totals } from './money.js';

/** `amountCents` is the amount before the discount; older events have no `discountCents`. */
export interface InvoiceLine {
  readonly lineId: string;
  readonly productId: string;
  readonly planId: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitAmountCents: number;
  readonly amountCents: number;
  readonly discountCents?: number;
}

export const INVOICE_STATUSES = ['open', 'paid', 'void', 'uncollectible'] as const;
export const INVOICE_KINDS = ['sale', 'renewal'] as const;

export interface InvoiceContent extends Totals {
  readonly invoiceId: string;
  readonly businessId: string;
  readonly number: string;
  readonly kind: (typeof INVOICE_KINDS)[number];
  readonly buyer: Buyer;
  readonly orderId: string;
  readonly subscriptionId: string | null;
  readonly lines: readonly InvoiceLine[];
  readonly currency: string;
}

export type InvoiceEvent =
  | Fact<'InvoiceIssued', InvoiceContent & { dueAt: string; at: string }>
  | Fact<'InvoicePaid', { invoiceId: string; paymentId: string | null; paidCents: number; at: string }>
  | Fact<'InvoiceVoided' | 'InvoiceMarkedUncollectible', { invoiceId: string; at: string }>;

export type Invoice =
  | { readonly status: 'unknown' }
  | { readonly status: (typeof INVOICE_STATUSES)[number]; readonly content: InvoiceContent };

function evolve(invoice: Invoice, event: InvoiceEvent): Invoice {
  if (event.type === 'InvoiceIssued') return { status: 'open', content: event.data };
  if (invoice.status === 'unknown') return invoice;

  switch (event.type) {
    case 'InvoicePaid':
      return { ...invoice, status: 'paid' };
    case 'InvoiceVoided':
      return { ...invoice, status: 'void' };
    case 'InvoiceMarkedUncollectible':
      return { ...invoice, status: 'uncollectible' };
  }
}

/** `at` is the time of the payment, or of the order when nothing is due (`paymentId` null). */
export type InvoiceCommand =
  | { readonly type: 'IssueInvoice'; readonly content: InvoiceContent; readonly at: string }
  | {
      readonly type: 'IssuePaidInvoice';
      readonly content: InvoiceContent;
      readonly paymentId: string | null;
      readonly at: string;
    }
  | { readonly type: 'PayInvoice'; readonly paymentId: string; readonly at: string }
  | { readonly type: 'VoidInvoice' | 'MarkInvoiceUncollectible' };

/** An invoice that is no longer open stays as it is. */
function decide(command: InvoiceCommand, invoice: Invoice, { now }: DecisionContext): readonly InvoiceEvent[] {
  if (command.type === 'IssueInvoice' || command.type === 'IssuePaidInvoice')
    return invoice.status === 'unknown' ? issue(command) : [];
  if (invoice.status === 'unknown') throw Rejection.notFound();
  if (invoice.status !== 'open') return [];

  const { invoiceId, totalCents } = invoice.content;
  switch (command.type) {
    case 'PayInvoice':
      return [toInvoicePaid(invoiceId, command.paymentId, totalCents, command.at)];
    case 'VoidInvoice':
      return [{ type: 'InvoiceVoided', data: { invoiceId, at: now } }];
    case 'MarkInvoiceUncollectible':
      return [{ type: 'InvoiceMarkedUncollectible', data: { invoiceId, at: now } }];
  }
}

function issue(
  command: Extract<InvoiceCommand, { type: 'IssueInvoice' | 'IssuePaidInvoice' }>,
): readonly InvoiceEvent[] {
  const { content, at } = command;
  const issued: InvoiceEvent = { type: 'InvoiceIssued', data: { ...content, dueAt: at, at } };
  if (command.type === 'IssueInvoice') return [issued];
  return [issued, toInvoicePaid(content.invoiceId, command.paymentId, content.totalCents, at)];
}

function toInvoicePaid(invoiceId: string, paymentId: string | null, paidCents: number, at: string): InvoiceEvent {
  return { type: 'InvoicePaid', data: { invoiceId, paymentId, paidCents, at } };
}

export const invoiceDecider: Decider<Invoice, InvoiceCommand, InvoiceEvent> = {
  category: 'invoice',
  clock: 'business',
  versions: { InvoiceIssued: 1, InvoicePaid: 1, InvoiceVoided: 1, InvoiceMarkedUncollectible: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
