/**
 * A position in the whole log: opaque, sortable as a string. `''` is before every event. Only a store creates
 * positions.
 */
export type Position = string;

export const START: Position = '';

export function pickLater(a: Position, b: Position): Position {
  return a > b ? a : b;
}

export function pickEarlier(a: Position, b: Position): Position {
  return a < b ? a : b;
}
