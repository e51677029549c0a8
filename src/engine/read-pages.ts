import type { EventPage, EventStore, ReadAllOptions } from '../kernel/event-store.js';
import { type Position, START } from '../kernel/position.js';

type ReadPagesOptions = Omit<ReadAllOptions, 'before'> & { readonly upTo?: Position };

/**
 * Reads the log page by page: forwards, from `after` to its current end or to the page of `upTo`, or backwards from its
 * end to its beginning.
 */
export async function* readPages(
  store: EventStore,
  { upTo, after = START, ...options }: ReadPagesOptions,
): AsyncGenerator<EventPage, undefined> {
  let cursor: Pick<ReadAllOptions, 'after' | 'before'> = options.backwards ? {} : { after };
  while (upTo === undefined || (cursor.after ?? START) < upTo) {
    const page = await store.readAll({ ...options, ...cursor });
    yield page;
    if (page.caughtUp) return;
    cursor = options.backwards ? { before: page.next } : { after: page.next };
  }
}
