import { readPages } from '../../../engine/read-pages.js';
import { extractId } from '../../../kernel/decider.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { EventStore, StreamFilter } from '../../../kernel/event-store.js';
import { type Position, START } from '../../../kernel/position.js';
import { readMeta } from '../../../kernel/unreadable-event.js';
import { readData } from './format-event.js';

const PAGE_EVENTS = 500;

export type EventPredicate = (event: RecordedEvent) => boolean;

/** Receives numbers of foreign events in the log; their sum is the total. */
export type OnForeignEvents = (events: number) => void;

interface ReadLogOptions {
  /** Leaves out the events up to this position. */
  readonly after?: Position;
  readonly filter?: StreamFilter;
  readonly onForeignEvents?: OnForeignEvents;
}

/** Reads every event of the current log, in log order. */
export async function* readLog(
  store: EventStore,
  { after = START, filter, onForeignEvents: passedOver }: ReadLogOptions = {},
): AsyncGenerator<RecordedEvent, undefined> {
  for await (const page of readPages(store, { after, limit: PAGE_EVENTS, ...(filter && { filter }) })) {
    passedOver?.(page.foreign ?? 0);
    yield* page.events;
  }
}

/**
 * Returns the last matching events, in log order.
 * @param sinceMs excludes events that were recorded before this time
 */
export async function findLatest(
  store: EventStore,
  matches: EventPredicate,
  limit: number,
  sinceMs = -Infinity,
): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  const isInRange = (event: RecordedEvent) => timeOf(event) >= sinceMs;
  for await (const { events } of readPages(store, { backwards: true, limit: PAGE_EVENTS })) {
    found.push(...events.filter((event) => isInRange(event) && matches(event)));
    // Clocks of processes differ by less than a page: when a whole page is too old, all earlier pages are too old.
    if (found.length >= limit || !events.some(isInRange)) break;
  }
  return found.slice(0, limit).reverse();
}

export async function findEvent(store: EventStore, id: string): Promise<RecordedEvent | null> {
  return (await findLatest(store, (event) => event.id === id, 1))[0] ?? null;
}

export async function readHistory(store: EventStore, stream: string): Promise<RecordedEvent[]> {
  const history: RecordedEvent[] = [];
  for await (const event of store.readStream(stream)) history.push(event);
  return history;
}

/** An event without readable metadata is in every range. */
function timeOf(event: RecordedEvent): number {
  const at = readMeta(event)?.at;
  return at === undefined ? Infinity : Date.parse(at);
}

/** Returns a predicate for events of the resource's own stream and events whose data contain the id. */
export function mentions(id: string): EventPredicate {
  return (event) => extractId(event.stream) === id || containsText(readData(event), id);
}

function containsText(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return value === text;
  return Object.values(value).some((inner) => containsText(inner, text));
}
