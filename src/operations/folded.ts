import type { EventStore } from '../kernel/event-store.js';
import { START, type Position } from '../kernel/position.js';
import { apply, idsOf, type Projection } from '../kernel/projection.js';

const PAGE_EVENTS = 500;

/** The documents of one category as the log tells them, oldest first: where no engine runs, a read model may be behind or absent. */
export async function foldedOf<D extends object>(projection: Projection<D>, category: string, store: EventStore): Promise<D[]> {
  const documents = new Map<string, D | null>();
  const filter = { prefixes: [`${category}-`] };
  let after: Position = START;
  for (let caughtUp = false; !caughtUp;) {
    const page = await store.readAll({ after, filter, limit: PAGE_EVENTS });
    for (const event of page.events) {
      for (const id of idsOf(projection, event)) documents.set(id, apply(projection, documents.get(id) ?? null, event));
    }
    ({ next: after, caughtUp } = page);
  }
  return [...documents.values()].filter((document) => document !== null);
}
