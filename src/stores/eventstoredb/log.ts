import { BACKWARDS, type Direction, END, FORWARDS, type ReadPosition, START as FIRST } from '@eventstore/db-client';
import type { RecordedEvent } from '../../kernel/event.js';
import type { EventPage, ReadAllOptions } from '../../kernel/event-store.js';
import { pickLater, type Position, START } from '../../kernel/position.js';
import type { Connection } from './connection.js';
import { decodeLazily, isForeign, isSystemEvent, matches, type RawEvent, toEventPosition } from './events.js';
import { toLogPosition, toStartPosition } from './positions.js';

/**
 * The number of events that one page scans at most: the server cannot filter reads, so it sends events that do not
 * match as well.
 */
const MAX_SCANNED = 10_000;
const MAX_READ = 1_000;
/** The permission that every read of the log needs. */
export const READ_ALL_PERMISSION =
  'read $all: make it an administrator, or name it under "$r" in the access list of $all';
/** The size of the first read for the head: the last events may be system events. */
const TAIL_SIZE = 32;

/** A part of the log, system events included. */
interface Piece {
  readonly events: readonly RawEvent[];
  /** The part reaches the end of the log in the direction of the read. */
  readonly isLast: boolean;
}

export async function readPage(connection: Connection, options: ReadAllOptions): Promise<EventPage> {
  const { after = START, before, backwards = false, filter, limit } = options;
  const bound = Math.max(MAX_SCANNED, limit);
  let size = Math.min(filter ? MAX_READ : limit + 1, MAX_READ);
  const events: RecordedEvent[] = [];
  let foreign = 0;
  let reached = backwards ? before : after;
  const page = (caughtUp: boolean): EventPage => ({
    events,
    next: reached ?? START,
    caughtUp,
    ...(foreign > 0 && { foreign }),
  });

  for (let scanned = 0; scanned < bound && events.length < limit; size = Math.min(2 * size, MAX_READ)) {
    scanned += size;
    const piece = await readPiece(connection, reached, backwards, size);
    for (const event of piece.events) {
      const position = toEventPosition(event);
      if (isOutside(position, after, before)) return page(true);
      if (events.length === limit) return page(false);
      if (isForeign(event)) foreign++;
      else if (!isSystemEvent(event) && matches(event, filter)) events.push(decodeLazily(event));
      reached = position;
    }
    if (piece.isLast) return page(true);
  }
  return page(false);
}

/** Reads the position of the last event, system events included. */
export async function readEnd(connection: Connection): Promise<Position> {
  const { events } = await readPiece(connection, undefined, true, 1);
  return events[0] === undefined ? START : toEventPosition(events[0]);
}

/** Finds the last event that is not a system event. It never scans the same events twice. */
export class HeadReader {
  /** Between `head` and `looked` there are only system events. */
  private cached: { readonly head: Position; readonly scannedTo: Position } = { head: START, scannedTo: START };

  constructor(private readonly connection: Connection) {}

  async read(): Promise<Position> {
    const { head, scannedTo } = this.cached;
    let [before, newest]: [Position | undefined, Position] = [undefined, scannedTo];
    for (let size = TAIL_SIZE; ; size = MAX_READ) {
      const { events, isLast } = await readPiece(this.connection, before, true, size);
      const news = events
        .map((event) => ({ event, place: toEventPosition(event) }))
        .filter(({ place }) => place > scannedTo);
      newest = pickLater(newest, news[0]?.place ?? START);
      const last = news.find(({ event }) => !isSystemEvent(event))?.place;
      if (last !== undefined || isLast || news.length < events.length) return this.cacheHead(last ?? head, newest);
      before = news.at(-1)!.place;
    }
  }

  private cacheHead(head: Position, looked: Position): Position {
    if (looked > this.cached.scannedTo) this.cached = { head, scannedTo: looked };
    return head;
  }
}

/**
 * Reads at most `size` events after or before a position, without the event at the position itself: servers include
 * it in one direction. Reads from the leader: the log of a follower node may end too early.
 */
async function readPiece(
  connection: Connection,
  position: Position | undefined,
  backwards: boolean,
  size: number,
): Promise<Piece> {
  const asked = size + 1;
  const direction: Direction = backwards ? BACKWARDS : FORWARDS;
  const options = {
    ...connection.callOptions,
    direction,
    fromPosition: toReadPosition(position, backwards),
    maxCount: asked,
    requiresLeader: true,
  };
  const read = await connection.read((client) => client.readAll(options), READ_ALL_PERMISSION);
  const events = read.flatMap(({ event }) => (event === undefined ? [] : [event as RawEvent]));
  const first = events[0] !== undefined && toEventPosition(events[0]) === position ? 1 : 0;
  return { events: events.slice(first, first + size), isLast: read.length < asked };
}

function toReadPosition(position: Position | undefined, backwards: boolean): ReadPosition {
  if (position === undefined) return backwards ? END : FIRST;
  return backwards ? toLogPosition(position) : toStartPosition(position);
}

function isOutside(position: Position, after: Position, before: Position | undefined): boolean {
  return position <= after || (before !== undefined && position >= before);
}
