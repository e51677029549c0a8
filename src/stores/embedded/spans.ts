import type { TimeRange } from '../../kernel/conditions.js';
import type { Condition } from '../../kernel/read-models.js';

/** `2026-02-01` */
export const DAY_LENGTH = 10;
/** `2026-02-01T09` */
export const HOUR_LENGTH = 13;
/** Sorts after every character of a time. */
const AFTER_ALL = '~';
/** Sorts after '', under which null times are counted, and before every hour. */
const BEFORE_HOURS = ' ';

/** The whole hours of a range, `low` inclusive and `high` exclusive, and the partial hours at its ends. */
export interface Span {
  readonly low: string;
  readonly high: string;
  readonly edges: readonly Required<TimeRange>[];
}

/**
 * Divides a range into whole and partial hours. An end at the first or last millisecond of its hour keeps the hour
 * whole.
 */
export function toSpan(range: TimeRange | undefined): Span {
  if (range === undefined) return { low: '', high: AFTER_ALL, edges: [] };
  const { from, to } = range;
  if (from !== undefined && to !== undefined && from > to) return { low: AFTER_ALL, high: AFTER_ALL, edges: [] };
  const [first, last] = [from?.slice(0, HOUR_LENGTH), to?.slice(0, HOUR_LENGTH)];
  const isFirstWhole = from === `${first}:00:00.000Z`;
  const isLastWhole = to === `${last}:59:59.999Z`;
  const low = first === undefined ? BEFORE_HOURS : isFirstWhole ? first : first + AFTER_ALL;
  const high = last === undefined ? AFTER_ALL : isLastWhole ? last + AFTER_ALL : last;
  if (first !== undefined && first === last)
    return { low, high, edges: isFirstWhole && isLastWhole ? [] : [{ from: from!, to: to! }] };
  return {
    low,
    high,
    edges: [
      ...(first !== undefined && !isFirstWhole ? [{ from: from!, to: first + AFTER_ALL }] : []),
      ...(last !== undefined && !isLastWhole ? [{ from: last, to: to! }] : []),
    ],
  };
}

/** Returns the condition for one hour of a range; null for the group of documents without that time. */
export function toHourCondition(range: TimeRange | undefined, hour: string): Condition {
  return hour === '' ? null : intersect(range, hour, hour + AFTER_ALL);
}

/** Returns the condition for one day of a range; null for the group of documents without that time. */
export function toDayCondition(range: TimeRange | undefined, day: string): Condition {
  return day === '' ? null : intersect(range, `${day}T00:00:00.000Z`, `${day}T23:59:59.999Z`);
}

function intersect({ from, to }: TimeRange = {}, start: string, end: string): Required<TimeRange> {
  return { from: from !== undefined && from > start ? from : start, to: to !== undefined && to < end ? to : end };
}
