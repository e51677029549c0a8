import { DAY_MS, iso } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import { endOf } from '../../http/date-range.js';

const MAX_DAYS = 30;

/**
 * Parses the two ends of a window. @throws Rejection 422 on `created_from` when the ends are reversed or too far apart
 */
export function windowOf(
  from: string,
  to: string | undefined,
  nowMs: number,
): { readonly createdFrom: string; readonly createdTo: string } {
  const [fromMs, toMs] = [Date.parse(from), to === undefined ? nowMs : Date.parse(endOf(to))];
  if (fromMs > toMs) throw Rejection.field('created_from', 'invalid_value', 'created_from is later than created_to.');
  if (toMs - fromMs > MAX_DAYS * DAY_MS)
    throw Rejection.field('created_from', 'too_small', `The window must have at most ${MAX_DAYS} days.`);
  return { createdFrom: iso(fromMs), createdTo: iso(toMs) };
}
