import type { InvoiceContent, InvoiceLine } from './invoice.js';
import type { Renewal, SubscriptionStart } from './subscription-events.js';

/** Returns the invoice of a renewal, without its number. */
export function toRenewalInvoice(
  start: SubscriptionStart,
  renewal: Renewal,
  name: string,
): Omit<InvoiceContent, 'number'> {
  const { subscriptionId, businessId, buyer, orderId, currency } = start;
  const { invoiceId, terms, discountCents, amountCents: totalCents } = renewal;
  return {
    invoiceId,
    businessId,
    kind: 'renewal',
    buyer,
    orderId,
    subscriptionId,
    lines: [toLine(start, renewal, name)],
    currency,
    subtotalCents: terms.amountCents,
    discountCents,
    taxCents: 0,
    totalCents,
  };
}

/** A price that is no multiple of the quantity is one unit. */
function toLine(start: SubscriptionStart, { terms, discountCents }: Renewal, name: string): InvoiceLine {
  const { amountCents, planId } = terms;
  const quantity = amountCents % start.quantity === 0 ? start.quantity : 1;
  const { lineItemId: lineId, productId } = start;
  const amounts = { quantity, unitAmountCents: amountCents / quantity, amountCents, discountCents };
  return { lineId, productId, planId: planId ?? start.planId, name, ...amounts };
}
