import { BACKWARDS, END, FORWARDS, START as FIRST, type Direction, type ReadPosition } from '@eventstore/db-client';
import type { Recorded } from '../../kernel/event.js';
import type { Page, ReadAllOptions } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Connection } from './connection.js';
import { isForeign, isTheStores, matches, placeOf, recordedOrSpoiled, type RawEvent } from './events.js';
import { fromPosition, logPositionOf } from './positions.js';

/**
 * The number of events that one page scans at most: the server cannot filter reads, so it sends events that do not
 * match as well.
 */
const MAX_LOOKED_THROUGH = 10_000;
const LARGEST_READ = 1_000;
/** The permission that every read of the log needs. */
export const READING_ALL = 'read $all: make it an administrator, or name it under "$r" in the access list of $all';
/** The size of the first read for the head: the last events may be system events. */
const TAIL = 32;

/** A part of the log, system events included. */
interface Piece {
  readonly events: readonly RawEvent[];
  /** The part reaches the end of the log in the direction of the read. */
  readonly isLast: boolean;
}

export async function pageOf(connection: Connection, options: ReadAllOptions): Promise<Page> {
  const { after = START, before, backwards = false, filter, limit } = options;
  const bound = Math.max(MAX_LOOKED_THROUGH, limit);
  let size = Math.min(filter ? LARGEST_READ : limit + 1, LARGEST_READ);
  const events: Recorded[] = [];
  let foreign = 0;
  let reached = backwards ? before : after;
  const page = (caughtUp: boolean): Page => ({ events, next: reached ?? START, caughtUp, ...(foreign > 0 && { foreign }) });

  for (let looked = 0; looked < bound && events.length < limit; size = Math.min(2 * size, LARGEST_READ)) {
    looked += size;
    const piece = await pieceBeyond(connection, reached, backwards, size);
    for (const event of piece.events) {
      const place = placeOf(event);
      if (isOutside(place, after, before)) return page(true);
      if (events.length === limit) return page(false);
      if (isForeign(event)) foreign++;
      else if (!isTheStores(event) && matches(event, filter)) events.push(recordedOrSpoiled(event));
      reached = place;
    }
    if (piece.isLast) return page(true);
  }
  return page(false);
}

/** Reads the position of the last event, system events included. */
export async function endOf(connection: Connection): Promise<Position> {
  const { events } = await pieceBeyond(connection, undefined, true, 1);
  return events[0] === undefined ? START : placeOf(events[0]);
}

/** Finds the last event that is not a system event. It never scans the same events twice. */
export class Head {
  /** Between `head` and `looked` there are only system events. */
  private known: { readonly head: Position; readonly looked: Position } = { head: START, looked: START };

  constructor(private readonly connection: Connection) {}

  async position(): Promise<Position> {
    const { head, looked } = this.known;
    let [before, newest]: [Position | undefined, Position] = [undefined, looked];
    for (let size = TAIL; ; size = LARGEST_READ) {
      const { events, isLast } = await pieceBeyond(this.connection, before, true, size);
      const news = events.map((event) => ({ event, place: placeOf(event) })).filter(({ place }) => place > looked);
      newest = later(newest, news[0]?.place ?? START);
      const last = news.find(({ event }) => !isTheStores(event))?.place;
      if (last !== undefined || isLast || news.length < events.length) return this.keep(last ?? head, newest);
      before = news.at(-1)!.place;
    }
  }

  private keep(head: Position, looked: Position): Position {
    if (looked > this.known.looked) this.known = { head, looked };
    return head;
  }
}

/**
 * Reads at most `size` events after or before a position, without the event at the position itself: servers include
 * it in one direction. Reads from the leader: the log of a follower node may end too early.
 */
async function pieceBeyond(connection: Connection, place: Position | undefined, backwards: boolean, size: number): Promise<Piece> {
  const asked = size + 1;
  const direction: Direction = backwards ? BACKWARDS : FORWARDS;
  const options = { ...connection.call, direction, fromPosition: startOf(place, backwards), maxCount: asked, requiresLeader: true };
  const read = await connection.read((client) => client.readAll(options), READING_ALL);
  const events = read.flatMap(({ event }) => (event === undefined ? [] : [event as RawEvent]));
  const first = events[0] !== undefined && placeOf(events[0]) === place ? 1 : 0;
  return { events: events.slice(first, first + size), isLast: read.length < asked };
}

function startOf(place: Position | undefined, backwards: boolean): ReadPosition {
  if (place === undefined) return backwards ? END : FIRST;
  return backwards ? logPositionOf(place) : fromPosition(place);
}

function isOutside(place: Position, after: Position, before: Position | undefined): boolean {
  return place <= after || (before !== undefined && place >= before);
}
