import type { NewEvent, RecordedEvent } from '../../src/kernel/event.js';
import {
  Conflict,
  type EventPage,
  type EventStore,
  type FollowOptions,
  type StreamFilter,
} from '../../src/kernel/event-store.js';
import { newUuid } from '../../src/kernel/ids.js';

/** Creates a new stream name for each test, because a log may be shared with other tests. */
export function createCategory(): string {
  return `contract${newUuid().replaceAll('-', '')}`;
}

export function createEvent(data: object = {}, type = 'CoinsAdded'): NewEvent {
  const id = newUuid();
  return {
    id,
    type,
    data,
    meta: {
      at: '2026-02-01T09:00:00.000Z',
      command: 'AddCoins',
      commandId: id,
      correlationId: 'req_1',
      causationId: 'req_1',
      actor: { type: 'system', id: 'contract' },
      business: null,
      mode: 'live',
      requestId: null,
      v: 1,
    },
  };
}

export function createEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, i) => createEvent({ coins: i }));
}

export function pickIds(list: readonly { readonly id: string }[]): string[] {
  return list.map(({ id }) => id);
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/**
 * Reads pages of a follower until it has received this number of events. It calls `more` once, after the first page.
 */
export async function readFollowed(
  store: EventStore,
  options: FollowOptions,
  count: number,
  more?: () => Promise<unknown>,
): Promise<EventPage[]> {
  const end = new AbortController();
  const pages: EventPage[] = [];
  for await (const page of store.follow(options, end.signal)) {
    if (pages.push(page) === 1) await more?.();
    if (pages.flatMap((each) => each.events).length >= count) break;
  }
  return pages;
}

export function flattenPages(pages: readonly EventPage[]): RecordedEvent[] {
  return pages.flatMap((page) => page.events);
}

/** Returns the conflict of an append. */
export async function catchConflict(append: Promise<unknown>): Promise<Conflict> {
  const error: unknown = await append.then(
    () => new Error('the append was taken'),
    (reason: unknown) => reason,
  );
  if (error instanceof Conflict) return error;
  throw error;
}

/** Reads the log after `after` page by page. */
export async function readPages(
  store: EventStore,
  after: string,
  limit: number,
  filter?: StreamFilter,
): Promise<RecordedEvent[]> {
  const read: RecordedEvent[] = [];
  for (let next = after; ;) {
    const page = await store.readAll({ after: next, limit, ...(filter && { filter }) });
    read.push(...page.events);
    if (page.caughtUp) return read;
    next = page.next;
  }
}
