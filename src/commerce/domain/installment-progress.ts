import { calculatePeriodEnd } from './billing-period.js';
import type { InstallmentPlanStart, InstallmentProgress } from './installment-plan-events.js';
import { calculateDiscount } from './subscription-terms.js';

/** The next part, which falls due at `dueAt`; its charge is made at `chargeAt`. */
interface NextPart {
  readonly number: number;
  readonly dueAt: string;
  readonly chargeAt: string;
  readonly hasFailed: boolean;
}

export function describeNextPart(
  start: InstallmentPlanStart,
  anchorDay: number,
  { number, dueAt, chargeAt, hasFailed }: NextPart,
): InstallmentProgress {
  return {
    ...countParts(start, number - 1, hasFailed),
    remainingCents: sumParts(start, anchorDay, number, dueAt),
    nextDueAt: chargeAt,
    status: 'active',
  };
}

/** @param paid the number of parts that were paid @param hasFailed whether the charge of the next one has failed */
export function describeEnd(
  start: InstallmentPlanStart,
  status: Exclude<InstallmentProgress['status'], 'active'>,
  paid: number,
  hasFailed: boolean,
): InstallmentProgress {
  return { ...countParts(start, paid, hasFailed), remainingCents: 0, nextDueAt: null, status };
}

function countParts({ orderId, installmentsCount: count }: InstallmentPlanStart, paid: number, hasFailed: boolean) {
  return { orderId, count, paid, failed: hasFailed ? 1 : 0 };
}

/** Adds the amounts of the parts from `number` on, of which the first falls due at `dueAt`. */
function sumParts(start: InstallmentPlanStart, anchorDay: number, number: number, dueAt: string): number {
  let [sum, due] = [0, dueAt];
  for (let part = number; part <= start.installmentsCount; part++) {
    sum += start.amountCents - calculateDiscount(start, start.discount, due);
    due = calculatePeriodEnd(due, start, anchorDay);
  }
  return sum;
}
