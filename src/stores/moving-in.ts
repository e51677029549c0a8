import type { EventPlace } from '../kernel/event.js';
import type { EventStore } from '../kernel/event-store.js';
import { START } from '../kernel/position.js';
import type { ReadModels } from '../kernel/read-models.js';
import type { Ports } from './ports.js';

/** Where a store notes what moves into it: a single document, that changes once, from begun to done. */
const NOTES = 'moving_in';
const ID = 'what';
const BEGUN = '1';
const DONE = '2';
/** The mark of its keys, with which every vault begins. */
const ENTRIES_OF_AN_EMPTY_VAULT = 1;

interface Note {
  readonly id: typeof ID;
  readonly what: string;
  /** The last event that has moved in, once all is there. */
  readonly last: EventPlace | null;
}

/** Something else is to move into this store, or a service is to run on it, before all is there. */
export class MovingIn extends Error {
  constructor(how: string) {
    super(how);
    this.name = 'MovingIn';
  }
}

/**
 * Before a service runs on it: with half of what it had elsewhere it would do again what is done, and know nothing of the rest.
 * @throws MovingIn
 */
export async function mustHaveMovedIn(models: ReadModels): Promise<void> {
  if ((await notedIn(models))?.isDone === false)
    throw new MovingIn('Only a part has moved into this store so far: run the same store import or copy again, which goes on from there.');
}

/**
 * Notes that it moves in now, unless something else is quicker; after a crash, the same again.
 * @param what a name that no other content has
 * @returns false when all of it is there already
 * @throws MovingIn when the store holds anything else
 */
export async function beginMovingIn(ports: Ports, what: string): Promise<boolean> {
  const { note, isDone } = (await notedIn(ports.models)) ?? (await begun(ports, what));
  if (note.what !== what)
    throw isDone ? notEmpty() : new MovingIn('Something else has moved into this store in part. Move into an empty one.');
  if (isDone && note.last !== null && !(await holds(ports.events, note.last)))
    throw new MovingIn('This has moved in once, and the log that it came to is gone. Move into an empty store.');
  return !isDone;
}

/** @param last the last event of it */
export async function endMovingIn({ models }: Ports, what: string, last: EventPlace | null): Promise<void> {
  await models.replace(NOTES, { id: ID, position: DONE, document: { id: ID, what, last } satisfies Note }, BEGUN);
}

async function notedIn(models: ReadModels): Promise<{ readonly note: Note; readonly isDone: boolean } | null> {
  const [row] = await models.load(NOTES, [ID]);
  return row === undefined ? null : { note: row.document as Note, isDone: row.position === DONE };
}

/** Of several that begin at once the store takes one, and all are told which. */
async function begun(ports: Ports, what: string) {
  await mustBeEmpty(ports);
  await ports.models.prepare(NOTES, { indexes: [] });
  await ports.models.replace(NOTES, { id: ID, position: BEGUN, document: { id: ID, what, last: null } satisfies Note }, START);
  return (await notedIn(ports.models))!;
}

/** In every port: an old checkpoint, say, would hide what moves in from whoever goes on from there. */
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
  return new MovingIn('This store is not empty. Move into an empty one.');
}
