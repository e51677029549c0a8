const NUMBER = 8;
/** Estimated size of an object, an array or a map without its content. */
const CONTAINER = 16;

/** Estimates the size of a value in characters. Shared parts count once for each value. */
export function estimateCharacters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return NUMBER;
  const parts = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce<number>((sum, part) => sum + estimateCharacters(part), CONTAINER);
}
