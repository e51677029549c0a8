import type { INestApplicationContext } from '@nestjs/common';
import { KEY_CHECK_ID, verifyKeyCheckValue, verifyKeys } from '../../engine/encryption/key-check.js';
import type { Keys } from '../../engine/encryption/keys.js';
import { LeaseRunner } from '../../engine/lease-runner.js';
import { DEAD_LETTERS, deadLettersSchema } from '../../engine/projections/dead-letters.js';
import { listReactorCheckpoints } from '../../engine/reactors/parts.js';
import { Registry } from '../../engine/registry.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { beginMigration, completeMigration } from '../../stores/migration-marker.js';
import type { Ports } from '../../stores/ports.js';
import { currentProcessId } from '../../stores/process-id.js';
import { Stores } from '../../stores/stores.js';
import { Interrupted } from '../cli/interruption.js';
import type { ReportProgress } from '../cli/progress-bar.js';
import { appendMissing, storeRecords } from './import-writer.js';
import type { MigrationRecord, PortableEvent } from './records.js';

/** Name of the lease of the process that imports. */
const LEASE = 'moving in';

/** The input of a migration: the events in log order, and the other records. */
export interface MigrationInput {
  /** Identifies the input. */
  readonly name: string;
  readonly events: AsyncIterable<PortableEvent>;
  readonly records: AsyncIterable<MigrationRecord>;
}

/** The source store of a migration, and its reactors. */
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

/**
 * Writes the input to a store, or continues an interrupted migration of it. While another process migrates the same
 * input, waits for its outcome. Returns false when the store already contains the whole input.
 * @throws MigrationError when the store contains anything else, or another migration is unfinished
 */
export async function migrate(
  input: MigrationInput,
  target: Ports,
  onEvent: OnEvent,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await beginMigration(target, input.name))) return false;
  const done = Promise.withResolvers<boolean>();
  const leaseRunner = new LeaseRunner(target.leases, new SystemClock(), new SystemRandom(), currentProcessId());
  await leaseRunner.holdOnce(LEASE, signal, async (leaseSignal) =>
    done.resolve(await migrateUnderLease(input, target, onEvent, leaseSignal)),
  );
  if (signal.aborted) throw toInterruptedError();
  return done.promise;
}

async function migrateUnderLease(
  { name, events, records }: MigrationInput,
  target: Ports,
  onEvent: OnEvent,
  leaseSignal: AbortSignal,
): Promise<boolean> {
  // The previous holder of the lease may have finished the migration.
  if (!(await beginMigration(target, name))) return false;
  const last = await appendMissing(stopOnAbort(leaseSignal, events), target.events, onEvent);
  await storeRecords(stopOnAbort(leaseSignal, records), target);
  await completeMigration(target, name, last);
  return true;
}

/**
 * Initializes the store with the keys that encrypted the input. The check value of the keys is stored before any other
 * record.
 * @throws KeyMismatch when the input was encrypted with other keys, or the store was initialized with others
 */
export async function initializeKeys(keys: Keys, keyCheckValue: Uint8Array | null, { vault }: Ports): Promise<void> {
  if (keyCheckValue !== null) {
    verifyKeyCheckValue(keyCheckValue, keys);
    await vault.putIfAbsent(KEY_CHECK_ID, keyCheckValue);
  }
  await verifyKeys(vault, keys);
}

/** Describes the data that are not copied, one sentence each. @param foreign number of foreign events in the log */
export async function describeOmissions(models: ReadModels, foreign: number): Promise<string[]> {
  await models.ensureCollection(DEAD_LETTERS, deadLettersSchema);
  const deadLetters = await models.count(DEAD_LETTERS, {});
  return [
    'read models and their builds are not copied: the target rebuilds them from the log, and no projection is paused there',
    ...(foreign > 0 ? [`${foreign} events of other applications are not copied`] : []),
    ...(deadLetters > 0
      ? [`${deadLetters} dead letters are not copied: in the target their events stop a build until they are skipped`]
      : []),
  ];
}

export type OnEvent = (event: PortableEvent) => void;

/** Passes the items on until the signal aborts. @throws Interrupted */
export async function* stopOnAbort<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncIterable<T> {
  for await (const item of items) {
    if (signal.aborted) throw toInterruptedError();
    yield item;
  }
}

function toInterruptedError(): Interrupted {
  return new Interrupted('stopped; run the same command again to continue');
}

/** Creates a callback that reports the position of a read of the log. */
export function reportPositions(report: ReportProgress): OnEvent {
  return createReporter<RecordedEvent>(report, ({ position }) => position);
}

/**
 * Creates a callback that reports progress.
 * @param toPosition returns the position of an event, the n-th that was read
 */
export function createReporter<E extends PortableEvent>(
  report: ReportProgress,
  toPosition: (event: E, n: number) => Position,
): OnEvent {
  const startedAt = performance.now();
  let events = 0;
  return (event) => {
    events++;
    const seconds = (performance.now() - startedAt) / 1_000;
    report({
      events,
      perSecond: Math.round(events / Math.max(seconds, 0.001)),
      position: toPosition(event as E, events),
    });
  };
}
