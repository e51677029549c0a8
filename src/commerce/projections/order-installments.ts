import { dateTime, describe, enumOf, integer, nullable, object, type ValueOf } from '../../kernel/schema.js';
import type { InstallmentProgress } from '../domain/installment-plan-events.js';
import { centsSchema } from './resources.js';

/** The fields of the progress of lines that are paid in parts. */
export const progressFields = {
  count: describe(integer, 'The number of all parts, with those that the checkout paid.', 6),
  paid: describe(integer, 'The number of parts that are paid.', 1),
  failed: describe(integer, 'The number of parts whose last charge has failed.', 0),
  remaining_amount_cents: describe(centsSchema, 'The amount that will still be charged, in cents; 0 after the end.'),
  next_due_at: describe(nullable(dateTime), 'The time of the next charge or retry; null when none follows.'),
  status: describe(
    enumOf('active', 'completed', 'cancelled', 'uncollectible'),
    'Whether parts are still charged (`active`), all are paid (`completed`), the later ones were cancelled (`cancelled`), or a part was not paid after the last retry (`uncollectible`).',
  ),
};

export const installmentsSchema = describe(
  nullable(object(progressFields)),
  'The progress of all lines that are paid in installments; null for an order without any, and before it is completed.',
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
