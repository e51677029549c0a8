import type { EventPlace } from '../kernel/event.js';
import type { EventStore } from '../kernel/event-store.js';
import { START } from '../kernel/position.js';
import type { ReadModels } from '../kernel/read-models.js';
import type { Ports } from './ports.js';

/** The collection of the migration marker: one document, which changes once, from begun to done. */
const NOTES = 'moving_in';
const ID = 'what';
const BEGUN = '1';
const DONE = '2';
/** Every new vault holds the check value of its master key. */
const ENTRIES_OF_AN_EMPTY_VAULT = 1;

interface Note {
  readonly id: typeof ID;
  readonly what: string;
  /** The last event of a completed migration. */
  readonly last: EventPlace | null;
}

/** The store holds an unfinished import, another import or other data. */
export class MovingIn extends Error {
  constructor(how: string) {
    super(how);
    this.name = 'MovingIn';
  }
}

/**
 * Refuses a store with an unfinished import: a service on it would repeat completed work, and miss the data that is
 * not imported yet.
 * @throws MovingIn
 */
export async function mustHaveMovedIn(models: ReadModels): Promise<void> {
  if ((await notedIn(models))?.isDone === false)
    throw new MovingIn('The store holds an unfinished import: run the same store import or copy again, which continues it.');
}

/**
 * Records the start of a migration into an empty store, or continues the same one after a crash.
 * @param what a name that identifies the content
 * @returns false when the store already holds all of it
 * @throws MigrationError when the store holds other data
 */
export async function beginMovingIn(ports: Ports, what: string): Promise<boolean> {
  const { note, isDone } = (await notedIn(ports.models)) ?? (await begun(ports, what));
  if (note.what !== what) throw isDone ? notEmpty() : new MovingIn('The store holds a part of another import. Use an empty store.');
  if (isDone && note.last !== null && !(await holds(ports.events, note.last)))
    throw new MovingIn('This content was imported before, but its log is missing. Use an empty store.');
  return !isDone;
}

/** @param last the last event of the migrated log */
export async function endMovingIn({ models }: Ports, what: string, last: EventPlace | null): Promise<void> {
  await models.replace(NOTES, { id: ID, position: DONE, document: { id: ID, what, last } satisfies Note }, BEGUN);
}

async function notedIn(models: ReadModels): Promise<{ readonly note: Note; readonly isDone: boolean } | null> {
  const [row] = await models.load(NOTES, [ID]);
  return row === undefined ? null : { note: row.document as Note, isDone: row.position === DONE };
}

/**
 * Creates the marker. When several migrations begin at once, the store accepts one, and each caller gets the accepted
 * one.
 */
async function begun(ports: Ports, what: string) {
  await mustBeEmpty(ports);
  await ports.models.prepare(NOTES, { indexes: [] });
  await ports.models.replace(NOTES, { id: ID, position: BEGUN, document: { id: ID, what, last: null } satisfies Note }, START);
  return (await notedIn(ports.models))!;
}

/** Checks every port: an old checkpoint, for example, would make its consumer skip imported events. */
async function mustBeEmpty({ events, models, jobs, idempotency, vault }: Ports): Promise<void> {
  const isEmpty =
    (await events.head()) === START &&
    (await models.checkpointNames()).length === 0 &&
    (await models.catalogue()).length === 0 &&
    (await jobs.list({ limit: 1 })).length === 0 &&
    (await idempotency.claims(null, 1)).length === 0 &&
    (await vault.entries('', ENTRIES_OF_AN_EMPTY_VAULT + 1)).length <= ENTRIES_OF_AN_EMPTY_VAULT;
  if (!isEmpty) throw notEmpty();
}

async function holds(events: EventStore, { id, stream, revision }: EventPlace): Promise<boolean> {
  for await (const event of events.readStream(stream, { from: revision, limit: 1 })) return event.id === id;
  return false;
}

function notEmpty(): MovingIn {
  return new MovingIn('The store is not empty. Use an empty store.');
}
