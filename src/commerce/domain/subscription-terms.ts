import { calculatePeriodEnd, type Cycle, findAnchorDay } from './billing-period.js';
import type { DiscountTerms } from './discount.js';
import { calculatePercentage } from './money.js';

/** The price and the cycle that renewals bill. `planId` is null when no recorded fact names the plan. */
export interface SubscriptionTerms extends Cycle {
  readonly planId: string | null;
  /** The price of one period before the discount. */
  readonly amountCents: number;
}

/** A discount covers the charges before `coveredUntil`; with the duration `forever` it covers all charges. */
export interface SubscriptionDiscount {
  readonly percentOff: number;
  readonly duration: DiscountTerms['duration'];
  readonly coveredUntil: string | null;
}

/** Returns the discount of a subscription that starts with this discount. The first charge counts as a month. */
export function toSubscriptionDiscount(
  { percentOff, duration, months }: DiscountTerms,
  startedAt: string,
): SubscriptionDiscount {
  if (duration === 'forever') return { percentOff, duration, coveredUntil: null };
  if (duration === 'once') return { percentOff, duration, coveredUntil: startedAt };
  const covered = { interval: 'month', intervalCount: months ?? 1 } as const;
  return { percentOff, duration, coveredUntil: calculatePeriodEnd(startedAt, covered, findAnchorDay(startedAt)) };
}

/** Returns the amount that the charge of a period is reduced by. */
export function calculateDiscount(
  { amountCents }: Pick<SubscriptionTerms, 'amountCents'>,
  discount: SubscriptionDiscount | null,
  periodStart: string,
): number {
  return discount !== null && isCovered(discount, periodStart)
    ? calculatePercentage(amountCents, discount.percentOff)
    : 0;
}

function isCovered({ duration, coveredUntil }: SubscriptionDiscount, periodStart: string): boolean {
  return duration === 'forever' || (coveredUntil !== null && periodStart < coveredUntil);
}
