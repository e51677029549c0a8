import { calculatePeriodEnd, findAnchorDay } from './billing-period.js';
import type { DiscountedLine } from './cart-discount.js';
import type { InstallmentPlanStart, InstallmentProgress } from './installment-plan-events.js';
import { describeNextPart } from './installment-progress.js';
import type { Sale } from './sale.js';
import { toSubscriptionDiscount } from './subscription-terms.js';

/** Returns a plan for each line that is paid in parts. A part bills the price of the line before its discount. */
export function listInstallmentPlanStarts(sale: Sale, startedAt: string): readonly InstallmentPlanStart[] {
  return sale.lines.flatMap((line) => toStart(sale, line, startedAt));
}

/** Returns the ids of the plans of a sale: those of its lines that are paid in parts. */
export function listInstallmentPlanIds({ lines }: Pick<Sale, 'lines'>): readonly string[] {
  return lines.filter(({ terms }) => terms.kind === 'installment').map(({ lineId }) => lineId);
}

function toStart(sale: Sale, line: DiscountedLine, startedAt: string): readonly InstallmentPlanStart[] {
  const { lineId: installmentPlanId, productId, planId, name, quantity, unitAmountCents, amountCents } = line;
  const { interval, intervalCount, currency, installmentsCount } = line.terms;
  if (interval === null || installmentsCount === null) return [];
  const { businessId, orderId, buyer, discount = null, methodToken } = sale;
  const references = { installmentPlanId, businessId, orderId, productId, planId, name, buyer };
  const price = { quantity, unitAmountCents, amountCents, currency };
  const terms = { discount: discount && toSubscriptionDiscount(discount, startedAt), interval, intervalCount };
  return [{ ...references, ...price, ...terms, installmentsCount, methodToken, startedAt }];
}

/** Returns the second part: the checkout has paid the first one. */
export function findSecondPart(start: InstallmentPlanStart): { readonly anchorDay: number; readonly dueAt: string } {
  const anchorDay = findAnchorDay(start.startedAt);
  return { anchorDay, dueAt: calculatePeriodEnd(start.startedAt, start, anchorDay) };
}

export function describeStart(start: InstallmentPlanStart): InstallmentProgress {
  const { anchorDay, dueAt } = findSecondPart(start);
  return describeNextPart(start, anchorDay, { number: 2, dueAt, chargeAt: dueAt, hasFailed: false });
}
