import type { EventStore } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';

const COLLECTION = 'refused_logs';
/** Id for a log without events of this service. */
const EMPTY_LOG = 'empty';
/** Position of every note: the first note of a log stays. */
const POSITION = '1';
/** Each refused log has one note: usually one, unless an address was wrong. */
const MAX_NOTES = 100;

export interface LogAndReadModels {
  readonly events: EventStore;
  readonly models: ReadModels;
}

/**
 * Stores the names of the checkpoints that were ahead of this log. The note remains while the log grows, since the
 * events in between stay skipped. The first event identifies a log: a start with a wrong address writes no note for the
 * right log.
 */
export async function recordRefusal({ events, models }: LogAndReadModels, names: readonly string[]): Promise<void> {
  await models.ensureCollection(COLLECTION, { indexes: [] });
  await models.upsert(COLLECTION, [{ id: await readFirstEventId(events), position: POSITION, document: { names } }]);
}

/** Returns the names that were stored for this log; empty when no start was refused since the last `store rewind`. */
export async function loadRefusedNames({ events, models }: LogAndReadModels): Promise<readonly string[]> {
  const notes = await models.scan(COLLECTION, null, MAX_NOTES);
  if (notes.length === 0) return [];
  const log = await readFirstEventId(events);
  const note = notes.find(({ id }) => id === log);
  return note === undefined ? [] : (note.document as { readonly names: readonly string[] }).names;
}

export function clearRefusals(models: ReadModels): Promise<void> {
  return models.dropCollection(COLLECTION);
}

async function readFirstEventId(events: EventStore): Promise<string> {
  for (let after = START; ;) {
    const page = await events.readAll({ after, limit: 1 });
    if (page.events[0] !== undefined) return page.events[0].id;
    if (page.caughtUp) return EMPTY_LOG;
    after = page.next;
  }
}
