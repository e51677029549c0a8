/** Returns the requested fields that differ; empty when nothing changes. The default comparison is by JSON. */
export function changesOf<T extends object>(asked: Partial<T>, now: T, same: Same<T> = sameJson): Partial<T> {
  const changed = Object.entries(asked).filter(([field, value]) => !same(value, now[field as keyof T], field as keyof T));
  return Object.fromEntries(changed) as Partial<T>;
}

type Same<T> = (asked: unknown, now: unknown, field: keyof T) => boolean;

export function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
