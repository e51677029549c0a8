import { BACKWARDS, END, FORWARDS, START as FIRST, type Direction, type ReadPosition } from '@eventstore/db-client';
import type { Recorded } from '../../kernel/event.js';
import type { Page, ReadAllOptions } from '../../kernel/event-store.js';
import { later, START, type Position } from '../../kernel/position.js';
import type { Connection } from './connection.js';
import { isForeign, isTheStores, matches, placeOf, recordedOrSpoiled, type RawEvent } from './events.js';
import { fromPosition, logPositionOf } from './positions.js';

/** How much of the log one page looks through: the server filters no reads, so what does not match has to come here too. */
const MAX_LOOKED_THROUGH = 10_000;
const LARGEST_READ = 1_000;
/** The right without which nothing here works. */
export const READING_ALL = 'read $all: make it an administrator, or name it under "$r" in the access list of $all';
/** How many events back the head is looked for at once: the last ones are the store's own now and then. */
const TAIL = 32;

/** A piece of the log as it is, the store's own events too. */
interface Piece {
  readonly events: readonly RawEvent[];
  /** Nothing lies beyond. */
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

/** The last event of all, the store's own included. */
export async function endOf(connection: Connection): Promise<Position> {
  const { events } = await pieceBeyond(connection, undefined, true, 1);
  return events[0] === undefined ? START : placeOf(events[0]);
}

/** The last event that is not the store's own. What was looked through once is not looked through again. */
export class Head {
  /** Beyond `head` nothing but the store's own events lies up to `looked`. */
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
 * At most `size` events behind `place`, or before it, without the one that is there: servers begin with it in one of the directions. As the
 * leader has them: a node that follows it may lag behind, and its log would end too soon.
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
