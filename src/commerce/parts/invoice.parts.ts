import type { NounParts } from '../../engine/area-parts.js';
import { InvoiceNumbering } from '../commands/number-invoices.steps.js';
import { InvoicesController } from '../http/invoices.controller.js';

export const invoiceParts: NounParts = {
  controllers: [InvoicesController],
  providers: [InvoiceNumbering],
};
