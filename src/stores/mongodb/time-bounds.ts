import type { TimeRange } from '../../kernel/conditions.js';
import { fieldOf } from './documents.js';

/** Ranges by the path of their time. */
export type Ranges = Readonly<Record<string, TimeRange>>;

/** The least and the greatest value of a time. Null values are not among the `values`. */
export interface TimeBounds {
  readonly time: string;
  readonly values: number;
  readonly least: string | null;
  readonly greatest: string | null;
}

/** The number of documents of a group in a part, and the bounds of their times. */
export interface PartSize {
  readonly size: number;
  readonly bounds: readonly TimeBounds[];
}

type Accumulators = Readonly<Record<string, object>>;

/** Returns the fields of a `$group` stage that measures a part. */
export function toAccumulators(times: readonly string[]): Accumulators {
  const accumulators = times.map((time, i) => {
    const value = `$${fieldOf(time)}`;
    return {
      // Null and missing values are not greater than null.
      [`values${i}`]: { $sum: { $cond: [{ $gt: [value, null] }, 1, 0] } },
      [`least${i}`]: { $min: value },
      [`greatest${i}`]: { $max: value },
    };
  });
  return Object.assign({ size: { $sum: 1 } }, ...accumulators) as Accumulators;
}

/** @param measured the result of the `$group` stage; undefined when the part has no documents of the group */
export function toPartSize(
  times: readonly string[],
  measured: Readonly<Record<string, unknown>> = { size: 0 },
): PartSize {
  const bounds = times.map((time, i) => ({
    time,
    values: (measured[`values${i}`] ?? 0) as number,
    least: (measured[`least${i}`] ?? null) as string | null,
    greatest: (measured[`greatest${i}`] ?? null) as string | null,
  }));
  return { size: measured.size as number, bounds };
}

/** Returns how many of the documents are within all ranges; undefined when the bounds do not show it. */
export function countWithin({ size, bounds }: PartSize, ranges: Ranges): number | undefined {
  const ranged = bounds.filter(({ time }) => ranges[time] !== undefined);
  if (ranged.some((one) => isOutside(one, ranges[one.time]!))) return 0;
  if (!ranged.every((one) => isInside(one, ranges[one.time]!))) return undefined;
  // Two times may be null in the same documents or in different ones.
  const incomplete = ranged.filter(({ values }) => values < size);
  return incomplete.length > 1 ? undefined : Math.min(size, ...ranged.map(({ values }) => values));
}

function isOutside({ values, least, greatest }: TimeBounds, { from, to }: TimeRange): boolean {
  if (values === 0) return true;
  if (!isText(least) || !isText(greatest)) return false;
  return (from !== undefined && greatest < from) || (to !== undefined && least > to);
}

function isInside({ least, greatest }: TimeBounds, { from, to }: TimeRange): boolean {
  if (!isText(least) || !isText(greatest)) return false;
  return (from === undefined || least >= from) && (to === undefined || greatest <= to);
}

/** A range of texts matches no value of another type. Texts sort together: two texts are the bounds of only texts. */
function isText(value: unknown): value is string {
  return typeof value === 'string';
}
