import { randomUUID } from 'node:crypto';
import type { NewEvent, Recorded } from '../../src/kernel/event.js';
import type { Appended, EventStore, Expected, Page, ReadStreamOptions } from '../../src/kernel/event-store.js';
import type { Idempotency, IdempotencyKey, StoredAnswer } from '../../src/kernel/idempotency.js';
import type { Jobs } from '../../src/kernel/jobs.js';
import type { CatalogueEntry, ReadModels, Row } from '../../src/kernel/read-models.js';
import type { Vault } from '../../src/kernel/vault.js';
import { importBuilt } from './built.ts';

const { Conflict } = await importBuilt<typeof import('../../src/kernel/event-store.js')>('kernel/event-store.js');

const rest = { reach: async () => undefined, durability: async () => 'none' };

/** Creates ports that keep everything in memory and answer at once. They support only what a write over HTTP needs. */
export function memoryStores() {
  return { events: events(), models: models(), jobs: jobs(), idempotency: idempotency(), vault: vault(), ...rest };
}

function events(): EventStore {
  const streams = new Map<string, Recorded[]>();
  let last = 0;
  const head = () => String(last).padStart(16, '0');

  return {
    async append(stream: string, expected: Expected, news: readonly NewEvent[]): Promise<Appended> {
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

    async *readStream(stream: string, { from = 0, limit }: ReadStreamOptions = {}): AsyncIterable<Recorded> {
      const all = streams.get(stream) ?? [];
      yield* all.slice(from, limit === undefined ? undefined : from + limit);
    },

    readAll: async (): Promise<Page> => ({ events: [], next: head(), caughtUp: true }),
    follow: () => never(),
    head: async () => (last === 0 ? '' : head()),
    confirmed: async () => (last === 0 ? '' : head()),
  };
}

function models(): ReadModels {
  const documents = new Map<string, Row>();
  const entries = new Map<string, CatalogueEntry>();
  return {
    prepare: async () => undefined,
    drop: async () => undefined,
    load: async (collection, ids) => ids.map((id) => documents.get(`${collection} ${id}`)).filter((row) => row !== undefined),
    page: async () => [],
    save: async (collection, rows) => rows.forEach((row) => documents.set(`${collection} ${row.id}`, row)),
    replace: async () => true,
    sweep: async () => 0,
    find: async () => [],
    slice: async () => ({ documents: [], next: null }),
    count: async () => 0,
    catalogue: async () => [...entries.values()],
    async enter(name, expected, value) {
      if ((entries.get(name)?.revision ?? 0) !== expected) return false;
      entries.set(name, { name, revision: expected + 1, value });
      return true;
    },
    checkpoint: async () => '',
    checkpointNames: async () => [],
    advance: async () => undefined,
    rewind: async () => undefined,
    lease: async () => 1,
    release: async () => undefined,
  };
}

function jobs(): Jobs {
  return {
    put: async () => undefined,
    claim: async () => [],
    extend: async () => true,
    done: async () => true,
    retry: async () => true,
    again: async () => true,
    park: async () => true,
    nextDue: async () => null,
    list: async () => [],
    find: async () => null,
    release: async () => false,
    cancel: async () => false,
    sizes: async () => [],
    restore: async () => undefined,
    onPut: () => () => undefined,
  };
}

function idempotency(): Idempotency {
  const answers = new Map<string, StoredAnswer>();
  const nameOf = ({ scope, key }: IdempotencyKey) => `${scope} ${key}`;
  return {
    async begin(key) {
      const answer = answers.get(nameOf(key));
      if (answer !== undefined) return { status: 'completed', answer };
      return { status: 'started', commandId: randomUUID(), at: Date.now(), run: 1 };
    },
    async finish(key, _, answer) {
      answers.set(nameOf(key), answer);
      return answer;
    },
    forget: async () => undefined,
    abandon: async () => undefined,
    claims: async () => [],
    restore: async () => undefined,
  };
}

function vault(): Vault {
  const kept = new Map<string, Uint8Array>();
  return {
    async put(id, sealed) {
      if (!kept.has(id)) kept.set(id, sealed);
      return kept.get(id)!;
    },
    get: async (id) => kept.get(id) ?? null,
    reseal: async () => true,
    destroy: async (id) => void kept.delete(id),
    entries: async () => [],
  };
}

async function* never(): AsyncIterable<Page> {
  await new Promise(() => undefined);
}
