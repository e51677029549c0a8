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
  /** Created with its folder if it is missing. */
  readonly file: string;
  readonly clock?: Clock;
  /** Called when the disk or the file has failed: every later write rejects, and only a restart can help. */
  readonly onFatal?: (error: Error) => void;
  /** The largest size of the file in pages of 4 KiB; beyond it the disk counts as full. */
  readonly maxPages?: number;
}

/** The value of `pragma synchronous` at which every commit waits for an fsync. */
const FULL = 2;

/** The five ports on one file. */
export interface EmbeddedStores extends Ports {
  readonly events: EmbeddedEventStore;
  readonly models: EmbeddedReadModels;
  readonly jobs: EmbeddedJobs;
  readonly idempotency: EmbeddedIdempotency;
  readonly vault: EmbeddedVault;
  /** Reads the current setting of the writer's connection. */
  synchronous(): Promise<number>;
}

/**
 * Opens the file; several processes may open the same one. @throws when it cannot be opened, or newer code has
 * written to it
 */
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
      // Wakes the followers, which then find the store closed.
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
  return 'every commit waits for an fsync';
}
