const NUMBER = 8;
/** Estimated size of an object, an array or a map without its content. */
const CONTAINER = 16;

/**
 * Estimates the size of a value in characters. Shared parts count once for each value. It does not call itself, because a
 * state may be a long chain of objects.
 */
export function estimateCharacters(value: unknown): number {
  let sum = 0;
  for (const open = [value]; open.length > 0;) {
    const next = open.pop();
    if (typeof next === 'string') sum += next.length;
    else if (typeof next !== 'object' || next === null) sum += NUMBER;
    else {
      sum += CONTAINER;
      for (const part of listParts(next)) open.push(part);
    }
  }
  return sum;
}

function listParts(value: object): Iterable<unknown> {
  if (value instanceof Map) return [...value].flat() as unknown[];
  return value instanceof Set ? value : Object.values(value);
}
