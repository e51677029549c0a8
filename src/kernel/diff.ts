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

/** Returns whether two values are equal as JSON, in any order of the keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return toCanonicalJson(a) === toCanonicalJson(b);
}

/** Returns JSON with sorted object keys, so that equal documents are equal texts. */
function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? sortKeys(inner) : inner));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeys(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
