import { Rejection } from '../../kernel/rejection.js';
import type { CartLine } from './cart-line.js';
import type { DiscountTerms } from './discount.js';
import { calculatePercentage } from './money.js';

/** The discount of a cart. It copies the terms of the discount, which never change. */
export interface CartDiscount extends DiscountTerms {
  readonly discountId: string;
}

/** The discount of a cart at its checkout: a discount that was deleted since can no longer be used. */
export interface CurrentDiscount {
  readonly discountId: string;
  readonly isActive: boolean;
}

/** A line with its discount; older events do not have it. `amountCents` is the amount before the discount. */
export interface DiscountedLine extends CartLine {
  readonly discountCents?: number;
}

/** Calculates the discount of each line. Each line is rounded separately. */
export function applyDiscount(
  lines: readonly CartLine[],
  discount: CartDiscount | null | undefined,
): readonly DiscountedLine[] {
  const percentOff = discount?.percentOff ?? 0;
  return lines.map((line) => ({ ...line, discountCents: calculatePercentage(line.amountCents, percentOff) }));
}

/** @throws Rejection discount_invalid */
export function assertDiscountActive(discount: CartDiscount | null, current: CurrentDiscount | null): void {
  if (discount?.discountId !== current?.discountId)
    throw new Rejection('concurrent_update', 'Another request changed the cart at the same time. Try again.');
  if (current?.isActive === false) throw createInvalidDiscountRejection();
}

export function createInvalidDiscountRejection(detail = 'No active discount has this code.'): Rejection {
  return new Rejection('discount_invalid', detail, 'discount_code');
}
