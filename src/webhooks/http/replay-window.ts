import { toEndOfDay } from '../../http/validation/date-range.js';
import { DAY_MS, toIso } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';

const MAX_WINDOW_DAYS = 30;
/** A window that ends now may begin 30 days before the caller's clock, and the request takes some time. */
const OPEN_END_TOLERANCE_MS = 5 * 60_000;

/**
 * Parses the two ends of a window. @throws Rejection 422 on `created_from` when the ends are reversed or too far apart
 */
export function parseWindow(
  from: string,
  to: string | undefined,
  nowMs: number,
): { readonly createdFrom: string; readonly createdTo: string } {
  const [fromMs, toMs] = [Date.parse(from), to === undefined ? nowMs : Date.parse(toEndOfDay(to))];
  if (fromMs > toMs) throw Rejection.ofField('created_from', 'invalid_value', 'created_from is later than created_to.');
  const toleranceMs = to === undefined ? OPEN_END_TOLERANCE_MS : 0;
  if (toMs - fromMs > MAX_WINDOW_DAYS * DAY_MS + toleranceMs)
    throw Rejection.ofField('created_from', 'too_small', `The window must have at most ${MAX_WINDOW_DAYS} days.`);
  return { createdFrom: toIso(fromMs), createdTo: toIso(toMs) };
}
