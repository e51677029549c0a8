import { dateTime, enumOf, integer, nullable, object, type ValueOf } from '../../kernel/schema.js';
import type { InstallmentProgress } from '../domain/installment-plan-events.js';
import { centsSchema } from './resources.js';

/** The installments of all lines of an order; null for an order without any, and before it is completed. */
export const installmentsSchema = nullable(
  object({
    /** All parts, with those that the checkout paid. */
    count: integer,
    paid: integer,
    /** The parts whose last charge has failed. */
    failed: integer,
    /** The amount that will still be charged: 0 after the end. */
    remaining_amount_cents: centsSchema,
    /** The time of the next charge or retry. */
    next_due_at: nullable(dateTime),
    status: enumOf('active', 'completed', 'cancelled', 'uncollectible'),
  }),
);

/** The progress of each line that is paid in parts, by the id of the line. */
export type LineInstallments = Readonly<Record<string, InstallmentProgress>>;

/** One line that is not paid to its end decides the status of the order's installments. */
const PRECEDENCE = ['active', 'uncollectible', 'cancelled', 'completed'] as const;

export function toInstallmentsDocument(lines: LineInstallments): ValueOf<typeof installmentsSchema> {
  const all = Object.values(lines);
  if (all.length === 0) return null;
  const sum = (count: (line: InstallmentProgress) => number) => all.reduce((total, line) => total + count(line), 0);
  const due = all.flatMap(({ nextDueAt }) => nextDueAt ?? []).sort();
  return {
    count: sum(({ count }) => count),
    paid: sum(({ paid }) => paid),
    failed: sum(({ failed }) => failed),
    remaining_amount_cents: sum(({ remainingCents }) => remainingCents),
    next_due_at: due[0] ?? null,
    status: PRECEDENCE.find((status) => all.some((line) => line.status === status))!,
  };
}
