import { randomUUID } from 'node:crypto';
import type { BuildCatalogue, CatalogueEntry } from '../../src/kernel/build-catalogue.js';
import type { Checkpoints } from '../../src/kernel/checkpoints.js';
import type { NewEvent, RecordedEvent } from '../../src/kernel/event.js';
import type {
  AppendResult,
  EventPage,
  EventStore,
  ExpectedRevision,
  ReadStreamOptions,
} from '../../src/kernel/event-store.js';
import type { Idempotency, IdempotencyKey, StoredResponse } from '../../src/kernel/idempotency.js';
import type { Jobs } from '../../src/kernel/jobs.js';
import type { Leases } from '../../src/kernel/leases.js';
import type { ReadModels, Row } from '../../src/kernel/read-models.js';
import type { Vault } from '../../src/kernel/vault.js';
import { importBuilt } from './built.ts';

const { Conflict } = await importBuilt<typeof import('../../src/kernel/event-store.js')>('kernel/event-store.js');

const rest = { ensureReady: async () => undefined, checkDurability: async () => 'none' };

/** Creates ports that keep everything in memory and answer at once. They support only what a write over HTTP needs. */
export function createMemoryStores() {
  return {
    events: createEvents(),
    models: createReadModels(),
    checkpoints: createCheckpoints(),
    leases: createLeases(),
    catalogue: createCatalogue(),
    jobs: createJobs(),
    idempotency: createIdempotency(),
    vault: createVault(),
    ...rest,
  };
}

function createEvents(): EventStore {
  const streams = new Map<string, RecordedEvent[]>();
  let last = 0;
  const head = () => String(last).padStart(16, '0');

  return {
    async append(stream: string, expected: ExpectedRevision, news: readonly NewEvent[]): Promise<AppendResult> {
      const recorded = streams.get(stream) ?? [];
      const actual = recorded.length === 0 ? 'none' : recorded.length - 1;
      if (actual !== expected) throw new Conflict(stream, expected, actual);
      for (const event of news) {
        last++;
        recorded.push({ ...event, stream, revision: recorded.length, position: head() });
      }
      streams.set(stream, recorded);
      return { revision: recorded.length - 1, position: head() };
    },

    async *readStream(stream: string, { from = 0, limit }: ReadStreamOptions = {}): AsyncIterable<RecordedEvent> {
      const all = streams.get(stream) ?? [];
      yield* all.slice(from, limit === undefined ? undefined : from + limit);
    },

    isLastRevision: () => false,
    readAll: async (): Promise<EventPage> => ({ events: [], next: head(), caughtUp: true }),
    follow: () => waitForAbort(),
    readHead: async () => (last === 0 ? '' : head()),
    confirmPosition: async () => (last === 0 ? '' : head()),
  };
}

function createReadModels(): ReadModels {
  const documents = new Map<string, Row>();
  return {
    ensureCollection: async () => undefined,
    dropCollection: async () => undefined,
    load: async (collection, ids) =>
      ids.map((id) => documents.get(`${collection} ${id}`)).filter((row) => row !== undefined),
    scan: async () => [],
    upsert: async (collection, rows) => rows.forEach((row) => documents.set(`${collection} ${row.id}`, row)),
    async compareAndSet(collection, row, expected) {
      const key = `${collection} ${row.id}`;
      if ((documents.get(key)?.position ?? '') !== expected) return false;
      documents.set(key, row);
      return true;
    },
    deleteTombstones: async () => 0,
    loadUnparsed: async (collection, id) => (documents.get(`${collection} ${id}`)?.document ?? null) as never,
    find: async () => [],
    findUnparsed: async () => [],
    findSlice: async () => ({ documents: [], next: null }),
    count: async () => 0,
  };
}

function createCatalogue(): BuildCatalogue {
  const entries = new Map<string, CatalogueEntry>();
  return {
    listEntries: async () => [...entries.values()],
    async compareAndSetEntry(name, expected, value) {
      if ((entries.get(name)?.revision ?? 0) !== expected) return false;
      entries.set(name, { name, revision: expected + 1, value });
      return true;
    },
  };
}

function createCheckpoints(): Checkpoints {
  return {
    readCheckpoint: async () => '',
    listCheckpointNames: async () => [],
    advanceCheckpoints: async () => undefined,
    rewindCheckpoints: async () => undefined,
  };
}

function createLeases(): Leases {
  return {
    acquireLease: async () => 1,
    releaseLease: async () => undefined,
  };
}

function createJobs(): Jobs {
  return {
    enqueue: async () => undefined,
    claim: async () => [],
    renewLease: async () => true,
    complete: async () => true,
    retry: async () => true,
    reschedule: async () => true,
    park: async () => true,
    findNextDue: async () => null,
    list: async () => [],
    find: async () => null,
    release: async () => false,
    cancel: async () => false,
    readQueueStats: async () => [],
    restore: async () => undefined,
    onEnqueued: () => () => undefined,
  };
}

function createIdempotency(): Idempotency {
  const answers = new Map<string, StoredResponse>();
  const toName = ({ scope, key }: IdempotencyKey) => `${scope} ${key}`;
  return {
    async claim(key) {
      const answer = answers.get(toName(key));
      if (answer !== undefined) return { status: 'completed', response: answer };
      return { status: 'started', commandId: randomUUID(), at: Date.now(), run: 1 };
    },
    async complete(key, _, answer) {
      answers.set(toName(key), answer);
      return answer;
    },
    release: async () => undefined,
    suspend: async () => undefined,
    listClaims: async () => [],
    restore: async () => undefined,
  };
}

function createVault(): Vault {
  const kept = new Map<string, Uint8Array>();
  return {
    async putIfAbsent(id, encrypted) {
      if (!kept.has(id)) kept.set(id, encrypted);
      return kept.get(id)!;
    },
    get: async (id) => kept.get(id) ?? null,
    replace: async () => true,
    destroy: async (id) => void kept.delete(id),
    listEntries: async () => [],
  };
}

async function* waitForAbort(): AsyncIterable<EventPage> {
  await new Promise(() => undefined);
}
