import type { INestApplicationContext } from '@nestjs/common';
import { listReactorCheckpoints } from '../../engine/reactors/parts.js';
import { Registry } from '../../engine/registry.js';
import { API_KEY_USAGE } from '../../identity/api-key-usage.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { StoredClaim } from '../../kernel/idempotency.js';
import type { JobDetails } from '../../kernel/jobs.js';
import type { ReadModels } from '../../kernel/read-models.js';
import type { VaultEntry } from '../../kernel/vault.js';
import type { Ports } from '../../stores/ports.js';
import { Stores } from '../../stores/stores.js';
import { listCaptureCollections } from '../../webhooks/delivery/captures.js';
import { type OnForeignEvents, readLog } from '../cli/events/event-log.js';
import { type MigrationItem, type MigrationRecord, toBatches, toEventRef } from './records.js';

const PAGE_SIZE = 500;

export interface MigrationSource {
  readonly ports: Ports;
  /** The names of the reactors' checkpoints. */
  readonly reactors: readonly string[];
}

export function toSource(service: INestApplicationContext): MigrationSource {
  return {
    ports: service.get(Stores, { strict: false }).ports,
    reactors: listReactorCheckpoints(service.get(Registry, { strict: false })),
  };
}

/** Reads the log of a store, then its other records. No service may run on the store during the read. */
export async function* readStore(
  { ports, reactors }: MigrationSource,
  onForeignEvents: OnForeignEvents,
): AsyncIterable<MigrationItem> {
  const checkpoints = await Promise.all(reactors.map((name) => readCheckpoint(name, ports)));
  for await (const event of readLog(ports.events, { onForeignEvents })) {
    // The position of a checkpoint can be one without an event, so the last event up to it is recorded.
    for (const checkpoint of checkpoints) if (event.position <= checkpoint.position) checkpoint.last = event;
    yield event;
  }
  yield* readKeys(ports);
  yield* readClaims(ports);
  for (const collection of [API_KEY_USAGE, ...(await listCaptureCollections(ports.jobs))])
    yield* readSideData(collection, ports.models);
  yield* readJobs(ports);
  for (const { name, last } of checkpoints) yield { record: 'checkpoint', name, event: last && toEventRef(last) };
}

async function readCheckpoint(name: string, { checkpoints }: Ports) {
  return { name, position: await checkpoints.readCheckpoint(name), last: null as RecordedEvent | null };
}

async function* readKeys({ vault }: Ports): AsyncIterable<MigrationRecord> {
  for await (const { id, encrypted } of listAll<VaultEntry>((last) => vault.listEntries(last?.id ?? '', PAGE_SIZE)))
    yield { record: 'key', id, sealed: encrypted && Buffer.from(encrypted).toString('base64') };
}

async function* readClaims({ idempotency }: Ports): AsyncIterable<MigrationRecord> {
  for await (const claim of listAll<StoredClaim>((last) => idempotency.listClaims(last ?? null, PAGE_SIZE)))
    yield { record: 'claim', ...claim };
}

async function* readJobs({ jobs }: Ports): AsyncIterable<MigrationRecord> {
  for await (const job of listAll<JobDetails>((after) => jobs.list({ limit: PAGE_SIZE, ...(after && { after }) }))) {
    const { key, queue, due, data, attempt, failures, error, status } = job;
    yield { record: 'job', key, queue, due, data, attempt, failures, error, parked: status === 'parked' };
  }
}

async function* readSideData(collection: string, models: ReadModels): AsyncIterable<MigrationRecord> {
  await models.ensureCollection(collection, { indexes: [] });
  const order = { where: {}, orderBy: 'id', ascending: true, limit: PAGE_SIZE };
  const listed = listAll<{ readonly id: string }>((last) =>
    models.find(collection, { ...order, ...(last && { after: { value: last.id, id: last.id } }) }),
  );
  for await (const batch of toBatches(listed, PAGE_SIZE)) {
    const ids = batch.map(({ id }) => id);
    for (const { id, position, document } of await models.load(collection, ids))
      if (document !== null) yield { record: 'note', collection, id, position, document };
  }
}

/** Reads all items page by page; each page starts after the last item of the previous one. */
async function* listAll<T>(readPage: (last: T | undefined) => Promise<readonly T[]>): AsyncIterable<T> {
  let page: readonly T[] = [];
  do {
    page = await readPage(page.at(-1));
    yield* page;
  } while (page.length === PAGE_SIZE);
}
