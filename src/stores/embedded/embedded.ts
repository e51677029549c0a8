import { type Clock, SystemClock } from '../../kernel/clock.js';
import type { Ports } from '../ports.js';
import { EmbeddedBuildCatalogue } from './build-catalogue.js';
import { ChangeNotifier } from './change-notifier.js';
import { EmbeddedCheckpoints } from './checkpoints.js';
import { CommitQueue } from './commit-queue.js';
import { EmbeddedEventStore } from './event-store.js';
import { EmbeddedIdempotency } from './idempotency.js';
import { EmbeddedJobs, findQueuesAfter } from './jobs.js';
import { EmbeddedLeases } from './leases.js';
import { Poller } from './poller.js';
import { EmbeddedReadModels } from './read-models.js';
import { ReadThreads } from './read-threads/read-threads.js';
import { Reader } from './reader.js';
import { createFile, findNewerStore, readVersion, SCHEMA_VERSION } from './schema.js';
import { removeStaleDrafts, removeStaleSnapshots } from './snapshot-folder.js';
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

/** All ports on one file. */
export interface EmbeddedStores extends Ports {
  readonly events: EmbeddedEventStore;
  readonly models: EmbeddedReadModels;
  readonly jobs: EmbeddedJobs;
  readonly idempotency: EmbeddedIdempotency;
  readonly vault: EmbeddedVault;
  /** Reads the current setting of the writer's connection. */
  readSynchronous(): Promise<number>;
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
  createFile(file);
  removeStaleSnapshots(file);
  removeStaleDrafts(file);
  const opening = CommitQueue.open({ file, ...(maxPages !== undefined && { maxPages }) }, onFatal);
  const queue = await opening.catch((error: Error) => {
    throw findNewerStore(file) ?? error;
  });
  const reader = await openReader(file, onFatal).catch(async (error: Error) => {
    await queue.close();
    throw error;
  });
  return createPorts(queue, reader, new ReadThreads(file, onFatal), clock);
}

function createPorts(queue: CommitQueue, reader: Reader, readThreads: ReadThreads, clock: Clock): EmbeddedStores {
  const poller = new Poller(clock);
  const appendNotifier = new ChangeNotifier(reader, poller, 'events');
  const jobNotifier = new ChangeNotifier(reader, poller, 'jobs', findQueuesAfter);
  return {
    events: new EmbeddedEventStore(queue, reader, readThreads, appendNotifier, clock),
    models: new EmbeddedReadModels(queue, reader, readThreads, clock),
    checkpoints: new EmbeddedCheckpoints(queue, reader),
    leases: new EmbeddedLeases(queue, clock),
    catalogue: new EmbeddedBuildCatalogue(queue, reader),
    jobs: new EmbeddedJobs(queue, reader, readThreads, jobNotifier, clock),
    idempotency: new EmbeddedIdempotency(queue, readThreads, clock),
    vault: new EmbeddedVault(queue, reader, readThreads),
    format: { supported: SCHEMA_VERSION, read: () => reader.read(readVersion) },
    readSynchronous: () => queue.run('readSynchronous'),
    ensureReady: async () => undefined,
    checkDurability: async () => describeDurability(await queue.run('readSynchronous')),
    close: async () => {
      reader.close();
      // Wakes the followers, which then find the store closed.
      appendNotifier.notify();
      for (const notifier of [appendNotifier, jobNotifier]) notifier.close();
      await Promise.all([readThreads.close(), queue.close()]);
    },
  };
}

async function openReader(file: string, onFatal: (error: Error) => void): Promise<Reader> {
  return new Reader(file, onFatal);
}

function describeDurability(synchronous: number): string {
  if (synchronous !== FULL) throw new Error(`synchronous is ${synchronous}, not FULL`);
  return 'every commit waits for an fsync';
}
