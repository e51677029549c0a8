import { API_KEY_USAGE } from '../../identity/api-key-usage.js';
import type { EventRef } from '../../kernel/event.js';
import type { EventStore, ReadAllOptions } from '../../kernel/event-store.js';
import type { Idempotency, StoredClaim } from '../../kernel/idempotency.js';
import type { JobDetails, Jobs } from '../../kernel/jobs.js';
import { type Position, START } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { Vault, VaultEntry } from '../../kernel/vault.js';
import type { Ports } from '../../stores/ports.js';
import { listCaptureCollections } from '../../webhooks/delivery/captures.js';
import { type MigrationRecord, toBatches } from './records.js';

const PAGE_SIZE = 500;

/**
 * Reads the records of a store other than its events. No service may run on the store during the read.
 * @param reactors the names of the reactors' checkpoints
 */
export async function* readStoreRecords(ports: Ports, reactors: readonly string[]): AsyncIterable<MigrationRecord> {
  yield* readKeys(ports.vault);
  yield* readClaims(ports.idempotency);
  for (const collection of [API_KEY_USAGE, ...(await listCaptureCollections(ports.jobs))])
    yield* readSideData(collection, ports.models);
  yield* readJobs(ports.jobs);
  for (const reactor of reactors) yield await readCheckpoint(ports, reactor);
}

async function* readKeys(vault: Vault): AsyncIterable<MigrationRecord> {
  for await (const { id, sealed } of readPages<VaultEntry>((last) => vault.listEntries(last?.id ?? '', PAGE_SIZE)))
    yield { record: 'key', id, sealed: sealed && Buffer.from(sealed).toString('base64') };
}

async function* readClaims(idempotency: Idempotency): AsyncIterable<MigrationRecord> {
  for await (const claim of readPages<StoredClaim>((last) => idempotency.listClaims(last ?? null, PAGE_SIZE)))
    yield { record: 'claim', ...claim };
}

async function* readJobs(jobs: Jobs): AsyncIterable<MigrationRecord> {
  for await (const job of readPages<JobDetails>((after) => jobs.list({ limit: PAGE_SIZE, ...(after && { after }) }))) {
    const { key, queue, due, data, attempt, failures, error, status } = job;
    yield { record: 'job', key, queue, due, data, attempt, failures, error, parked: status === 'parked' };
  }
}

async function* readSideData(collection: string, models: ReadModels): AsyncIterable<MigrationRecord> {
  await models.ensureCollection(collection, { indexes: [] });
  const order = { where: {}, orderBy: 'id', ascending: true, limit: PAGE_SIZE };
  const pageAfter = (id: string) => ({ ...order, after: { value: id, id } });
  const listed = readPages<{ readonly id: string }>((last) =>
    models.find(collection, last === undefined ? order : pageAfter(last.id)),
  );
  for await (const batch of toBatches(listed, () => true, PAGE_SIZE)) {
    const rows = await models.load(
      collection,
      batch.map(({ id }) => id),
    );
    for (const { id, position, document } of rows)
      if (document !== null) yield { record: 'note', collection, id, position, document };
  }
}

async function readCheckpoint({ checkpoints, events }: Ports, name: string): Promise<MigrationRecord> {
  return { record: 'checkpoint', name, event: await findLastUpTo(events, await checkpoints.readCheckpoint(name)) };
}

/**
 * Returns the event at the position, or the last event before it: in some stores a position can be without an event of
 * the service.
 */
async function findLastUpTo(events: EventStore, position: Position): Promise<EventRef | null> {
  if (position === START) return null;
  const next = await findNearest(events, { after: position });
  const last = await findNearest(events, { backwards: true, ...(next && { before: next.position }) });
  return last && { id: last.id, stream: last.stream, revision: last.revision };
}

/** Returns the first event in that direction, or null. */
async function findNearest(events: EventStore, direction: Omit<ReadAllOptions, 'limit'>) {
  for (let from = direction; ;) {
    const page = await events.readAll({ ...from, limit: 1 });
    if (page.events.length > 0 || page.caughtUp) return page.events[0] ?? null;
    from = direction.backwards ? { ...direction, before: page.next } : { ...direction, after: page.next };
  }
}

/** Reads all items page by page; each page starts after the last item of the previous one. */
async function* readPages<T>(page: (last: T | undefined) => Promise<readonly T[]>): AsyncIterable<T> {
  let last: T | undefined;
  for (let more = true; more;) {
    const found = await page(last);
    yield* found;
    last = found.at(-1);
    more = found.length === PAGE_SIZE;
  }
}
