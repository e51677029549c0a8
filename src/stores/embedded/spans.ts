import type { Condition } from '../../kernel/read-models.js';
import { isScalar } from './collections.js';

/** `2026-02-01T09` */
export const HOUR_LENGTH = 13;
/** Above every character of a time. */
const ABOVE = '~';
/** Above '', where a time that is null is counted, and below every hour. */
const BELOW = ' ';
export interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

/** The whole hours of a range, `low` inclusive and `high` exclusive, and the parts of hours at its ends. */
export interface Span {
  readonly low: string;
  readonly high: string;
  readonly edges: readonly Required<TimeRange>[];
}

/** An end that is the first or last millisecond of its hour leaves the hour whole. */
export function spanOf(range: TimeRange | undefined): Span {
  if (range === undefined) return { low: '', high: ABOVE, edges: [] };
  const { from, to } = range;
  if (from !== undefined && to !== undefined && from > to) return { low: ABOVE, high: ABOVE, edges: [] };
  const [first, last] = [from?.slice(0, HOUR_LENGTH), to?.slice(0, HOUR_LENGTH)];
  const isFirstWhole = from === `${first}:00:00.000Z`;
  const isLastWhole = to === `${last}:59:59.999Z`;
  const low = first === undefined ? BELOW : isFirstWhole ? first : first + ABOVE;
  const high = last === undefined ? ABOVE : isLastWhole ? last + ABOVE : last;
  if (first !== undefined && first === last) return { low, high, edges: isFirstWhole && isLastWhole ? [] : [{ from: from!, to: to! }] };
  return {
    low,
    high,
    edges: [
      ...(first !== undefined && !isFirstWhole ? [{ from: from!, to: first + ABOVE }] : []),
      ...(last !== undefined && !isLastWhole ? [{ from: last, to: to! }] : []),
    ],
  };
}

/** Null for the hour of what has no such time. */
export function withinHour({ from, to }: TimeRange = {}, hour: string): Condition {
  if (hour === '') return null;
  const end = hour + ABOVE;
  return { from: from !== undefined && from > hour ? from : hour, to: to !== undefined && to < end ? to : end };
}

/** Of texts, as times are. */
export function isTimeRange(condition: Condition): boolean {
  if (isScalar(condition) || 'in' in condition) return false;
  return [condition.from, condition.to].every((end) => end === undefined || typeof end === 'string');
}
