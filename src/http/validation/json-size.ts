import { findNumberEnd, isExactNumber } from './json-number.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

export interface JsonSize {
  readonly depth: number;
  /** The number of members of objects and elements of lists, at all levels. */
  readonly values: number;
  /** The index of the first number that would be stored as another number; null without such a number. */
  readonly inexactNumberAt: number | null;
}

/**
 * Measures JSON before it is parsed, so that no body exhausts the stack or blocks the event loop. For invalid JSON the
 * size is arbitrary.
 */
export function measureJson(bytes: Uint8Array): JsonSize {
  let [depth, deepest, values] = [0, 0, 0];
  let quoted = false;
  let last = 0;
  let inexactNumberAt: number | null = null;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (quoted) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) quoted = false;
      continue;
    }
    if (byte <= SPACE) continue;
    if (byte === QUOTE) quoted = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      // No comma precedes the first member.
      values++;
      if (++depth > deepest) deepest = depth;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--;
      if (last === OPEN_LIST || last === OPEN_OBJECT) values--;
    } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
      const end = findNumberEnd(bytes, i);
      if (inexactNumberAt === null && !isExactNumber(bytes, i, end)) inexactNumberAt = i;
      i = end - 1;
    }
    last = byte;
  }
  return { depth: deepest, values, inexactNumberAt };
}
