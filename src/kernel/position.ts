/** A place in the whole log: opaque, sortable as a string. `''` is before everything. Only a store makes one. */
export type Position = string;

export const START: Position = '';

export function later(a: Position, b: Position): Position {
  return a > b ? a : b;
}

export function earlier(a: Position, b: Position): Position {
  return a < b ? a : b;
}
