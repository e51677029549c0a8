import type { Condition, Scalar, Where } from './read-models.js';

/** A range of times in ISO 8601, both ends inclusive. */
export interface TimeRange {
  readonly from?: string;
  readonly to?: string;
}

export function isScalar(condition: Condition): condition is Scalar {
  return condition === null || typeof condition !== 'object';
}

export function toCondition(values: readonly Scalar[]): Condition {
  return values.length === 1 ? values[0]! : { in: values };
}

/** Lists the values that the condition allows; empty for a range. */
export function listValues(condition: Condition): readonly Scalar[] {
  if (isScalar(condition)) return [condition];
  return 'in' in condition ? [...new Set(condition.in)] : [];
}

/** Returns whether the condition lists its values: it is not a range. */
export function isListed(condition: Condition | undefined): boolean {
  return condition !== undefined && (isScalar(condition) || 'in' in condition);
}

/** Returns whether the condition is a range of texts, as times are. */
export function isTimeRange(condition: Condition | undefined): condition is TimeRange {
  if (condition === undefined || isListed(condition)) return false;
  const { from, to } = condition as TimeRange;
  return [from, to].every((end) => end === undefined || typeof end === 'string');
}

/** Returns a filter for each combination of the values that `where` lists for these paths. */
export function combineValues(where: Where, paths: readonly string[]): Readonly<Record<string, Scalar>>[] {
  return paths.reduce<Record<string, Scalar>[]>(
    (some, path) => some.flatMap((fixed) => listValues(where[path]!).map((value) => ({ ...fixed, [path]: value }))),
    [{}],
  );
}
