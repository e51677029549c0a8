import { type Position, START } from '../../kernel/position.js';

/** The number of digits of the largest position, 2^63 - 1. */
const DIGITS = 19;
const LARGEST = 2n ** 63n - 1n;
const WRITTEN = /^(\d{19})-(\d{19})$/;

/** The commit and prepare positions of an event in the log. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** The position belongs to another kind of store: a retry never helps. */
export class ForeignPosition extends Error {
  constructor(position: Position) {
    super(`"${position}" is not a position of an EventStoreDB log`);
    this.name = 'ForeignPosition';
  }
}

export function toPosition({ commit, prepare }: LogPosition): Position {
  return `${pad(commit)}-${pad(prepare)}`;
}

/** @throws ForeignPosition */
export function toLogPosition(position: Position): LogPosition {
  const [, commit, prepare] = WRITTEN.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) throw new ForeignPosition(position);
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export function toStartPosition(position: Position): LogPosition | 'start' {
  return position === START ? 'start' : toLogPosition(position);
}

/** Returns whether the server has set the position: an unset one is -1 as an unsigned number. */
export function isKnown(position: LogPosition | undefined): position is LogPosition {
  return position !== undefined && position.commit <= LARGEST && position.prepare <= LARGEST;
}

function pad(place: bigint): string {
  return place.toString().padStart(DIGITS, '0');
}
