/** Returns the requested fields that differ; empty when nothing changes. The default comparison is by JSON. */
export function diff<T extends object>(
  requested: Partial<T>,
  current: T,
  isEqual: IsEqual<T> = isEqualJson,
): Partial<T> {
  const changed = Object.entries(requested).filter(
    ([field, value]) => !isEqual(value, current[field as keyof T], field as keyof T),
  );
  return Object.fromEntries(changed) as Partial<T>;
}

type IsEqual<T> = (asked: unknown, now: unknown, field: keyof T) => boolean;

export function isEqualJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
