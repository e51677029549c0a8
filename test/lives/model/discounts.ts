import { addInterval, dayOf } from './times.js';

export interface Discount {
  readonly code: string;
  readonly percent: number;
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly months: number | null;
}

export const DISCOUNTS: readonly Discount[] = [
  { code: 'FREE-FIRST', percent: 100, duration: 'once', months: null },
  { code: 'HALF-SPRING', percent: 50, duration: 'repeating', months: 3 },
  { code: 'TENTH', percent: 10, duration: 'forever', months: null },
];

/** Returns the percentage of a line, rounded half up. */
export function discountOn(amount: number, discount: Discount | null): number {
  return discount === null ? 0 : Math.floor((amount * discount.percent) / 100 + 0.5);
}

/** Returns the discount if it covers a later charge at this time. */
export function discountAt(discount: Discount | null, start: string, at: string): Discount | null {
  if (discount === null || discount.duration === 'once') return null;
  if (discount.duration === 'forever') return discount;
  return at < addInterval(start, 'month', discount.months!, dayOf(start)) ? discount : null;
}
