import type { Decider } from '../../kernel/decider.js';
import type { Fact, RecordedEvent, RecordedOf } from '../../kernel/event.js';
import type { EventOf } from '../../kernel/projection.js';
import type { Streams } from './streams.js';

/** The wanted event is usually among the latest events. */
const FIRST_PAGE_EVENTS = 25;

/**
 * Finds the latest matching event of a stream whose state only holds its latest entries.
 * @param isTooOld whether an event is older than the wanted one can be: the search ends there
 */
export async function findEarlierEvent<S, C, E extends Fact>(
  streams: Streams,
  decider: Decider<S, C, E>,
  id: string,
  isTooOld: (event: RecordedEvent) => boolean,
  isWanted: (event: RecordedOf<E>) => boolean,
): Promise<RecordedOf<E> | null> {
  for await (const event of readLatestFirst(streams, decider, id)) {
    if (isTooOld(event)) return null;
    if (isWanted(event as RecordedOf<E>)) return event as RecordedOf<E>;
  }
  return null;
}

/**
 * Adds an entry to such a stream once, and returns the entry of whichever run added it. When the state may no longer
 * hold the entry, the decider does not decide: the stream is searched, and the decider is asked again with the number
 * of entries before the search.
 */
export async function enterOnce<T>(
  enter: (searched: number) => Promise<{ readonly entry: T | undefined; readonly count: number }>,
  search: () => Promise<T | null>,
): Promise<T> {
  for (let searched = 0; ;) {
    const { entry, count } = await enter(searched);
    const found = entry ?? (await search());
    if (found !== null) return found;
    searched = count;
  }
}

/** Ends a search at the event that causes the wanted one. */
export function isUpTo({ position }: Pick<RecordedEvent, 'position'>): (event: RecordedEvent) => boolean {
  return (event) => event.position <= position;
}

/** Returns the first event of this type in a stream that has one. */
export async function requireEvent<S, C, E extends Fact, const T extends E['type']>(
  streams: Streams,
  decider: Decider<S, C, E>,
  id: string,
  type: T,
): Promise<EventOf<E, T>> {
  return (await streams.loadHistory(decider, id)).find((event) => event.type === type) as EventOf<E, T>;
}

/** Reads newest events first, in pages that grow. */
async function* readLatestFirst(
  streams: Streams,
  decider: { readonly category: string },
  id: string,
): AsyncIterable<RecordedEvent> {
  let from: number | undefined;
  for (let limit = FIRST_PAGE_EVENTS; from !== -1; limit *= 4) {
    let oldest = 0;
    for await (const event of streams.readBackwards(decider, id, from === undefined ? { limit } : { from, limit })) {
      yield event;
      oldest = event.revision;
    }
    from = oldest - 1;
  }
}
