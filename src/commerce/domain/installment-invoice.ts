import type { Installment, InstallmentPlanStart } from './installment-plan-events.js';
import type { InvoiceContent } from './invoice.js';

/** Returns the invoice of a part, without its number. */
export function toInstallmentInvoice(
  start: InstallmentPlanStart,
  { invoiceId, amountCents: totalCents, discountCents }: Installment,
): Omit<InvoiceContent, 'number'> {
  const { installmentPlanId: lineId, businessId, buyer, orderId, currency, productId, planId, name } = start;
  const { quantity, unitAmountCents, amountCents } = start;
  const line = { lineId, productId, planId, name, quantity, unitAmountCents, amountCents, discountCents };
  return {
    invoiceId,
    businessId,
    kind: 'renewal',
    buyer,
    orderId,
    subscriptionId: null,
    lines: [line],
    currency,
    subtotalCents: amountCents,
    discountCents,
    taxCents: 0,
    totalCents,
  };
}
