import type { Feature } from '../../engine/feature.js';
import { auditStream, createAuditedResource, nameByKey } from '../../kernel/audited-stream.js';
import { publish } from '../../kernel/public-event-definition.js';
import { InvoiceNumbering } from '../commands/invoice-numbering.steps.js';
import { invoiceDecider } from '../domain/invoice.js';
import { invoiceNumbersDecider } from '../domain/invoice-numbers.js';
import { InvoicesController } from '../http/invoices.controller.js';
import { invoices, invoiceSchema } from '../projections/invoices.js';

const invoice = createAuditedResource('invoice', invoices, ['refunded_amount_cents', 'refund_status']);

export const invoiceFeature: Feature = {
  streams: [auditStream(invoiceDecider, invoice), auditStream(invoiceNumbersDecider, nameByKey(invoice, 'invoiceId'))],
  projections: [invoices],
  publicEvents: [
    publish({
      fact: 'InvoiceIssued',
      type: 'invoice.issued',
      summary: 'An invoice was issued',
      description: 'An invoice received its number.',
      projection: invoices,
      schema: invoiceSchema,
    }),
    publish({
      fact: 'InvoicePaid',
      type: 'invoice.paid',
      summary: 'An invoice was paid',
      description: 'The amount of an invoice was paid.',
      projection: invoices,
      schema: invoiceSchema,
      change: true,
    }),
    publish({
      fact: 'InvoiceVoided',
      type: 'invoice.voided',
      summary: 'An invoice was voided',
      description: 'An invoice is no longer payable. Its number is not used again.',
      projection: invoices,
      schema: invoiceSchema,
      change: true,
    }),
    publish({
      fact: 'InvoiceMarkedUncollectible',
      type: 'invoice.uncollectible',
      summary: 'An invoice is uncollectible',
      description: 'An invoice was not paid after the last retry.',
      projection: invoices,
      schema: invoiceSchema,
      change: true,
    }),
  ],
  controllers: [InvoicesController],
  providers: [InvoiceNumbering],
};
