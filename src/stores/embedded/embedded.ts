import { SystemClock, type Clock } from '../../kernel/clock.js';
import { CommitQueue } from './commit-queue.js';
import { Doorbell } from './doorbell.js';
import { EmbeddedEventStore } from './event-store.js';
import { EmbeddedIdempotency } from './idempotency.js';
import { EmbeddedJobs, queuesAfter } from './jobs.js';
import { EmbeddedReadModels } from './read-models.js';
import { Reader } from './reader.js';
import { Reading } from './reading/reading.js';
import type { Ports } from '../ports.js';
import { makeFile, newerStoreAt, SCHEMA_VERSION, versionIn } from './schema.js';
import { removeLeftSnapshots } from './snapshot-folder.js';
import { EmbeddedVault } from './vault.js';

export interface EmbeddedOptions {
  /** Made when it is absent, with its folder. */
  readonly file: string;
  readonly clock?: Clock;
  /** The disk or the file failed: every write rejects from now on, and nothing but a new start helps. */
  readonly onFatal?: (error: Error) => void;
  /** What is beyond so many pages of 4 KiB is a full disk. */
  readonly maxPages?: number;
}

/** Of `pragma synchronous`: every commit is behind an fsync. */
const FULL = 2;

/** The five ports on one file. */
export interface EmbeddedStores extends Ports {
  readonly events: EmbeddedEventStore;
  readonly models: EmbeddedReadModels;
  readonly jobs: EmbeddedJobs;
  readonly idempotency: EmbeddedIdempotency;
  readonly vault: EmbeddedVault;
  /** The writer's own setting, as it tells it now. */
  synchronous(): Promise<number>;
}

/** Several processes may open the same file. @throws when it cannot be opened, or was written by a newer version */
export async function openEmbedded({
  file,
  clock = new SystemClock(),
  onFatal = () => undefined,
  maxPages,
}: EmbeddedOptions): Promise<EmbeddedStores> {
  makeFile(file);
  removeLeftSnapshots(file);
  const queue = await CommitQueue.open({ file, ...(maxPages !== undefined && { maxPages }) }, onFatal).catch((error: Error) => {
    throw newerStoreAt(file) ?? error;
  });
  const reader = await readerOf(file, onFatal).catch(async (error: Error) => {
    await queue.close();
    throw error;
  });
  const reading = new Reading(file, onFatal);
  const [appends, puts] = [new Doorbell(reader, 'events'), new Doorbell(reader, 'jobs', queuesAfter)];
  return {
    events: new EmbeddedEventStore(queue, reader, reading, appends, clock),
    models: new EmbeddedReadModels(queue, reader, reading, clock),
    jobs: new EmbeddedJobs(queue, reader, reading, puts, clock),
    idempotency: new EmbeddedIdempotency(queue, reading, clock),
    vault: new EmbeddedVault(queue, reader, reading),
    format: { known: SCHEMA_VERSION, read: () => reader.read(versionIn) },
    synchronous: () => queue.run('synchronous'),
    reach: async () => undefined,
    durability: async () => promised(await queue.run('synchronous')),
    close: async () => {
      reader.close();
      // Followers look once more, and find the store closed.
      appends.ring();
      appends.close();
      puts.close();
      await Promise.all([reading.close(), queue.close()]);
    },
  };
}

async function readerOf(file: string, onFatal: (error: Error) => void): Promise<Reader> {
  return new Reader(file, onFatal);
}

function promised(synchronous: number): string {
  if (synchronous !== FULL) throw new Error(`synchronous is ${synchronous}, not FULL`);
  return 'every commit is behind an fsync';
}
