import type { EventRef } from '../kernel/event.js';
import type { EventStore } from '../kernel/event-store.js';
import { START } from '../kernel/position.js';
import type { ReadModels } from '../kernel/read-models.js';
import type { Ports } from './ports.js';

/** The collection of the migration marker: one document, which changes once, from begun to done. */
const MARKERS = 'migration_marker';
const ID = 'what';
const STARTED = '1';
const DONE = '2';
/** Every new vault holds the check value of its master key. */
const EMPTY_VAULT_ENTRIES = 1;

/** The store holds an unfinished import, another import or other data. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

/**
 * Refuses a store with an unfinished import: a service on it would repeat completed work, and miss the data that is
 * not imported yet.
 * @throws MigrationError
 */
export async function requireFinishedMigration(models: ReadModels): Promise<void> {
  if ((await readMarker(models))?.isDone === false)
    throw new MigrationError(
      'The store holds an unfinished import: run the same store import or copy again, which continues it.',
    );
}

/**
 * Records the start of a migration into an empty store, or continues the same one after a crash.
 * @param name identifies the content
 * @returns false when the store already holds all of it
 * @throws MigrationError when the store holds other data
 */
export async function beginMigration(ports: Ports, name: string): Promise<boolean> {
  const { what, last, isDone } = (await readMarker(ports.models)) ?? (await createMarker(ports, name));
  if (what !== name && isDone) throw createNotEmptyError();
  if (what !== name) throw new MigrationError('The store holds a part of another import. Use an empty store.');
  if (isDone && last !== null && !(await containsEvent(ports.events, last)))
    throw new MigrationError('This content was imported before, but its log is missing. Use an empty store.');
  return !isDone;
}

/** @param last the last event of the migrated log */
export async function completeMigration({ models }: Ports, name: string, last: EventRef | null): Promise<void> {
  await models.compareAndSet(MARKERS, { id: ID, position: DONE, document: { id: ID, what: name, last } }, STARTED);
}

async function readMarker(models: ReadModels) {
  const [row] = await models.load(MARKERS, [ID]);
  if (row === undefined) return null;
  // `last` is the last event of a completed migration.
  const { what, last } = row.document as { readonly what: string; readonly last: EventRef | null };
  return { what, last, isDone: row.position === DONE };
}

/** When several migrations begin at once, the store accepts one marker, and each caller gets the accepted one. */
async function createMarker(ports: Ports, what: string) {
  await requireEmpty(ports);
  await ports.models.ensureCollection(MARKERS, { indexes: [] });
  await ports.models.compareAndSet(
    MARKERS,
    { id: ID, position: STARTED, document: { id: ID, what, last: null } },
    START,
  );
  return (await readMarker(ports.models))!;
}

/** Checks every port: an old checkpoint, for example, would make its consumer skip imported events. */
async function requireEmpty({ events, checkpoints, catalogue, jobs, idempotency, vault }: Ports): Promise<void> {
  const isEmpty =
    (await events.readHead()) === START &&
    (await checkpoints.listCheckpointNames()).length === 0 &&
    (await catalogue.listEntries()).length === 0 &&
    (await jobs.list({ limit: 1 })).length === 0 &&
    (await idempotency.listClaims(null, 1)).length === 0 &&
    (await vault.listEntries('', EMPTY_VAULT_ENTRIES + 1)).length <= EMPTY_VAULT_ENTRIES;
  if (!isEmpty) throw createNotEmptyError();
}

async function containsEvent(events: EventStore, { id, stream, revision }: EventRef): Promise<boolean> {
  for await (const event of events.readStream(stream, { from: revision, limit: 1 })) return event.id === id;
  return false;
}

function createNotEmptyError(): MigrationError {
  return new MigrationError('The store is not empty. Use an empty store.');
}
