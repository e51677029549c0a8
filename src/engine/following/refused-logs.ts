import type { EventStore } from '../../kernel/event-store.js';
import { START } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';

const REFUSED = 'refused_logs';
/** Of a log without an event of this service. */
const EMPTY = 'empty';
/** Of every note: the first one stays. */
const POSITION = '1';
/** A note for each log that a start was refused on: one, unless an address was wrong. */
const MOST_NOTES = 100;

export interface Restored {
  readonly events: EventStore;
  readonly models: ReadModels;
}

/**
 * Keeps the names of the checkpoints that were ahead of this log. The note lasts while the log grows, since the events in between stay
 * skipped. A log is known by its first event: a start with a wrong address leaves nothing that is valid for the right log.
 */
export async function noteRefusal({ events, models }: Restored, names: readonly string[]): Promise<void> {
  await models.prepare(REFUSED, { indexes: [] });
  await models.save(REFUSED, [{ id: await firstEventOf(events), position: POSITION, document: { names } }]);
}

/** The names that were noted for this log; none where no start was refused on it since the last `store rewind`. */
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
