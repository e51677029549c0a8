const NUMBER = 8;
/** What an object, an array or a map takes beside what it holds. */
const HOLDER = 16;

/** About how many characters a value takes. Values that share parts count them each. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return NUMBER;
  const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + weightOf(part), HOLDER);
}
