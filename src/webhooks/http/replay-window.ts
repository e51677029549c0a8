import { toEndOfDay } from '../../http/validation/date-range.js';
import { toIso } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';

/** Parses the two ends of a window, which may begin before the log. @throws Rejection 422 when they are reversed */
export function parseWindow(
  from: string,
  to: string | undefined,
  nowMs: number,
): { readonly createdFrom: string; readonly createdTo: string } {
  const [fromMs, toMs] = [Date.parse(from), to === undefined ? nowMs : Date.parse(toEndOfDay(to))];
  if (fromMs > toMs) throw Rejection.ofField('created_from', 'invalid_value', 'created_from is later than created_to.');
  return { createdFrom: toIso(fromMs), createdTo: toIso(toMs) };
}
