import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeSigningKey, signChainCheckpoint } from '../../../src/audit/chain/checkpoint-signature.js';
import { auditChains } from '../../../src/audit/projections/audit-chains.js';
import { auditEvents } from '../../../src/audit/projections/audit-events.js';
import { ChainEvidence } from '../../../src/audit/verification/chain-evidence.js';
import type { VerifiedLog } from '../../../src/audit/verification/log-verification.js';
import { verifyStore } from '../../../src/audit/verification/verify-store.js';
import { Projector } from '../../../src/engine/projections/projector.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import type { RecordedEvent } from '../../../src/kernel/event.js';
import { buildOf, collectionOf } from '../../../src/kernel/projection.js';
import { ChangeNotifier } from '../../../src/stores/embedded/change-notifier.js';
import { CommitQueue } from '../../../src/stores/embedded/commit-queue.js';
import { EmbeddedEventStore } from '../../../src/stores/embedded/event-store.js';
import { Poller } from '../../../src/stores/embedded/poller.js';
import { toPosition } from '../../../src/stores/embedded/positions.js';
import { ReadThreads } from '../../../src/stores/embedded/read-threads/read-threads.js';
import { Reader } from '../../../src/stores/embedded/reader.js';
import { openStores } from '../../../src/stores/open.js';
import type { Ports } from '../../../src/stores/ports.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { BUSINESS, chainOf, createChainedEvent, PUBLIC_KEY, SIGNING_KEY } from '../chain/chained-log.js';

const PAGE_SIZE = 500;
/** The writer of the store may hold the lock. */
const BUSY_TIMEOUT_MS = 10_000;
/** Beyond the number of every other event. */
const CHECKPOINT_NUMBER = 1_000_000;
const BUILDS = {
  chains: buildOf(collectionOf(auditChains), 1),
  events: buildOf(collectionOf(auditEvents), 1),
};
const fail = (error: Error) => {
  throw error;
};

/**
 * A store file with one chain of events, one of which signs all events before it. Tests change the file by SQL, as
 * somebody with access to the disk does, and restore it.
 */
export class ChainedStore {
  private constructor(
    private readonly folder: string,
    /** The number of events; the position of the last one. */
    readonly size: number,
    private readonly ports: Ports,
    private readonly database: DatabaseSync,
    private readonly parts: ConstructorParameters<typeof EmbeddedEventStore>,
    private readonly stop: () => Promise<unknown>,
  ) {}

  /** @param checkpoint the position of the event that signs the events before it */
  static async create(size: number, checkpoint: number): Promise<ChainedStore> {
    const folder = mkdtempSync(join(tmpdir(), 'chained-'));
    const file = join(folder, 'store.sqlite');
    const ports = await openStores({ file });
    await appendEvents(ports, 1, checkpoint);
    await appendCheckpoint(ports);
    await appendEvents(ports, checkpoint + 1, size + 1);
    await project(ports);

    const clock = new SystemClock();
    const queue = await CommitQueue.open({ file }, fail);
    const [reader, readThreads] = [new Reader(file), new ReadThreads(file, fail)];
    const notifier = new ChangeNotifier(reader, new Poller(clock), 'events');
    const stop = () => {
      reader.close();
      return Promise.all([ports.close(), readThreads.close(), queue.close()]);
    };
    const parts = [queue, reader, readThreads, notifier, clock] as const;
    return new ChainedStore(folder, size, ports, openCopied(file), [...parts], stop);
  }

  tamper(sql: string): void {
    this.database.exec('begin immediate');
    this.database.exec(`${sql}; commit`);
  }

  restore(): void {
    this.tamper('delete from events; insert into events select * from original');
  }

  /**
   * Verifies the file as a new process does, without cached events. @param missing builds that the store does not have
   * @param reached the position up to which the chains are stored
   */
  verify(missing: Partial<Record<keyof typeof BUILDS, null>> = {}, reached = this.size): Promise<VerifiedLog> {
    const events = new EmbeddedEventStore(...this.parts);
    const builds = { ...BUILDS, ...missing, reached: toPosition(reached) };
    return verifyStore(events, new ChainEvidence(events, this.ports.models, builds, PUBLIC_KEY));
  }

  /** Returns the log as it is now. */
  readLog(): Promise<RecordedEvent[]> {
    return readWholeLog(new EmbeddedEventStore(...this.parts));
  }

  async close(): Promise<void> {
    this.database.close();
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

/** Opens the file with a copy of its events in memory. */
function openCopied(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  database.exec('pragma synchronous = off; create temp table original as select * from events');
  return database;
}

async function appendEvents({ events }: Ports, first: number, end: number): Promise<void> {
  const numbers = Array.from({ length: end - first }, (_, i) => first + i);
  await Promise.all(numbers.map((n) => events.append(`discount-dsc_${n}`, 'none', [createEvent(n)])));
}

function createEvent(n: number) {
  const { id, meta } = createChainedEvent(n);
  return { id, meta, type: 'DiscountCreated', data: { discountId: `dsc_${n}`, code: 'a' } };
}

async function appendCheckpoint({ events }: Ports): Promise<void> {
  const log = await readWholeLog(events);
  const state = { ...chainOf(log), position: log.at(-1)!.position };
  const { key_id: keyId, public_key: publicKey } = describeSigningKey(SIGNING_KEY);
  const signature = signChainCheckpoint(BUSINESS, state, SIGNING_KEY);
  const { id, meta } = createChainedEvent(CHECKPOINT_NUMBER);
  const data = { business: BUSINESS, ...state, keyId, publicKey, signature, at: meta.at };
  await events.append(`auditChain-${BUSINESS}`, 'none', [{ id, meta, type: 'ChainCheckpointSigned', data }]);
}

async function project({ events: store, models: readModels }: Ports): Promise<void> {
  const tools = { store, readModels, clock: new SystemClock() };
  const log = await readWholeLog(store);
  for (const [projection, build] of [
    [auditChains, BUILDS.chains],
    [auditEvents, BUILDS.events],
  ] as const) {
    const projector = new Projector<object>(projection, tools, build);
    await projector.prepare();
    for (let from = 0; from < log.length; from += PAGE_SIZE) await projector.handle(log.slice(from, from + PAGE_SIZE));
  }
}
