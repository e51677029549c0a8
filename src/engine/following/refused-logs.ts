import type { EventStore } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';

const REFUSED = 'refused_logs';
/** Id for a log without events of this service. */
const EMPTY = 'empty';
/** Position of every note: the first note of a log stays. */
const POSITION = '1';
/** Each refused log has one note: usually one, unless an address was wrong. */
const MOST_NOTES = 100;

export interface Restored {
  readonly events: EventStore;
  readonly models: ReadModels;
}

/**
 * Stores the names of the checkpoints that were ahead of this log. The note remains while the log grows, since the
 * events in between stay skipped. The first event identifies a log: a start with a wrong address writes no note for the
 * right log.
 */
export async function noteRefusal({ events, models }: Restored, names: readonly string[]): Promise<void> {
  await models.prepare(REFUSED, { indexes: [] });
  await models.save(REFUSED, [{ id: await firstEventOf(events), position: POSITION, document: { names } }]);
}

/** Returns the names that were stored for this log; empty when no start was refused since the last `store rewind`. */
export async function refusedNames({ events, models }: Restored): Promise<readonly string[]> {
  const notes = await models.page(REFUSED, null, MOST_NOTES);
  if (notes.length === 0) return [];
  const log = await firstEventOf(events);
  const note = notes.find(({ id }) => id === log);
  return note === undefined ? [] : (note.document as { readonly names: readonly string[] }).names;
}

export function forgetRefusals(models: ReadModels): Promise<void> {
  return models.drop(REFUSED);
}

async function firstEventOf(events: EventStore): Promise<string> {
  for (let after = START; ;) {
    const page = await events.readAll({ after, limit: 1 });
    if (page.events[0] !== undefined) return page.events[0].id;
    if (page.caughtUp) return EMPTY;
    after = page.next;
  }
}
