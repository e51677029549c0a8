import { START, type Position } from '../../kernel/position.js';

/** As wide as a log's largest position, 2^63 - 1. */
const DIGITS = 19;
const LARGEST = 2n ** 63n - 1n;
const WRITTEN = /^(\d{19})-(\d{19})$/;

/** Where the log has an event: what came of its transaction, and the event itself. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** Another store has made it: no repetition helps. */
export class ForeignPosition extends Error {
  constructor(position: Position) {
    super(`"${position}" is no position of an EventStoreDB log`);
    this.name = 'ForeignPosition';
  }
}

export function positionOf({ commit, prepare }: LogPosition): Position {
  return `${padded(commit)}-${padded(prepare)}`;
}

/** @throws ForeignPosition */
export function logPositionOf(position: Position): LogPosition {
  const [, commit, prepare] = WRITTEN.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) throw new ForeignPosition(position);
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export function fromPosition(position: Position): LogPosition | 'start' {
  return position === START ? 'start' : logPositionOf(position);
}

/** Servers say -1, as an unsigned number, for what they have not looked up. */
export function isKnown(position: LogPosition | undefined): position is LogPosition {
  return position !== undefined && position.commit <= LARGEST && position.prepare <= LARGEST;
}

function padded(place: bigint): string {
  return place.toString().padStart(DIGITS, '0');
}
