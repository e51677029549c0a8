import type { Recorded } from '../kernel/event.js';
import { idOfStream } from '../kernel/decider.js';
import type { EventStore, Filter } from '../kernel/event-store.js';
import { START, type Position } from '../kernel/position.js';
import { dataOf } from './event-entry.js';

const PAGE_EVENTS = 500;

export type Matches = (event: Recorded) => boolean;

/** Reads the current log page by page, the newest page first. The events of a page are in log order. */
async function* backwards(store: EventStore): AsyncIterable<readonly Recorded[]> {
  let before: Position | undefined;
  for (let reached = false; !reached;) {
    const page = await store.readAll({ backwards: true, limit: PAGE_EVENTS, ...(before !== undefined && { before }) });
    yield page.events;
    [before, reached] = [page.next, page.caughtUp];
  }
}

/** Receives numbers of foreign events in the log; their sum is the total. */
export type PassedOver = (events: number) => void;

interface Walk {
  readonly filter?: Filter;
  readonly passedOver?: PassedOver;
}

/** Reads every event of the current log, in log order. */
export async function* eachOf(store: EventStore, { filter, passedOver }: Walk = {}): AsyncGenerator<Recorded, undefined> {
  let after: Position = START;
  for (let reached = false; !reached;) {
    const page = await store.readAll({ after, limit: PAGE_EVENTS, ...(filter && { filter }) });
    passedOver?.(page.foreign ?? 0);
    yield* page.events;
    [after, reached] = [page.next, page.caughtUp];
  }
}

/**
 * Returns the last matching events, in log order.
 * @param sinceMs excludes events that were recorded before this time
 */
export async function lastOf(store: EventStore, matches: Matches, limit: number, sinceMs = -Infinity): Promise<Recorded[]> {
  const found: Recorded[] = [];
  const isLateEnough = ({ meta }: Recorded) => Date.parse(meta.at) >= sinceMs;
  for await (const events of backwards(store)) {
    found.push(...events.filter((event) => isLateEnough(event) && matches(event)));
    // Clocks of processes differ by less than a page: when a whole page is too old, all earlier pages are too old.
    if (found.length >= limit || !events.some(isLateEnough)) break;
  }
  return found.slice(0, limit).reverse();
}

export async function eventOf(store: EventStore, id: string): Promise<Recorded | null> {
  return (await lastOf(store, (event) => event.id === id, 1))[0] ?? null;
}

export async function historyOf(store: EventStore, stream: string): Promise<Recorded[]> {
  const history: Recorded[] = [];
  for await (const event of store.readStream(stream)) history.push(event);
  return history;
}

/** Returns a predicate for events of the resource's own stream and events whose data contain the id. */
export function names(id: string): Matches {
  return (event) => idOfStream(event.stream) === id || holds(dataOf(event), id);
}

function holds(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return value === text;
  return Object.values(value).some((inner) => holds(inner, text));
}
