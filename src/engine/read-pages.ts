import type { EventPage, EventStore, ReadAllOptions } from '../kernel/event-store.js';
import { type Position, START } from '../kernel/position.js';

type ReadPagesOptions = Omit<ReadAllOptions, 'after' | 'before'> & { readonly upTo?: Position };

/** Reads the log page by page: forwards to its current end or to the page of `upTo`, or backwards to its beginning. */
export async function* readPages(
  store: EventStore,
  { upTo, ...options }: ReadPagesOptions,
): AsyncGenerator<EventPage, undefined> {
  let cursor: Pick<ReadAllOptions, 'after' | 'before'> = options.backwards ? {} : { after: START };
  while (upTo === undefined || (cursor.after ?? START) < upTo) {
    const page = await store.readAll({ ...options, ...cursor });
    yield page;
    if (page.caughtUp) return;
    cursor = options.backwards ? { before: page.next } : { after: page.next };
  }
}
