import { KEY_CHECK_ID, verifyKeyCheckValue, verifyKeys } from '../../engine/encryption/key-check.js';
import type { Keys } from '../../engine/encryption/keys.js';
import { LeaseRunner } from '../../engine/lease-runner.js';
import { DEAD_LETTERS, deadLettersSchema } from '../../engine/projections/dead-letters.js';
import { SystemClock, SystemRandom } from '../../kernel/clock.js';
import type { ReadModels } from '../../kernel/read-models.js';
import { beginMigration, completeMigration } from '../../stores/migration-marker.js';
import type { Ports } from '../../stores/ports.js';
import { currentProcessId } from '../../stores/process-id.js';
import { Interrupted } from '../cli/interruption.js';
import type { ReportProgress } from '../cli/progress-bar.js';
import { writeItems } from './import-writer.js';
import { isEvent, type MigrationItem } from './records.js';

/** Name of the lease of the process that imports. */
const LEASE = 'moving in';

/** The input of a migration: the events in log order, and the other records. */
export interface MigrationInput {
  /** Identifies the input. */
  readonly name: string;
  readonly items: AsyncIterable<MigrationItem>;
}

/**
 * Writes the input to a store, or continues an interrupted migration of it. While another process migrates the same
 * input, waits for its outcome. Returns false when the store already contains the whole input.
 * @throws MigrationError when the store contains anything else, or another migration is unfinished
 */
export async function migrate(
  { name, items }: MigrationInput,
  target: Ports,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await beginMigration(target, name))) return false;
  const leases = new LeaseRunner(target.leases, new SystemClock(), new SystemRandom(), currentProcessId());
  let isNew = false;
  await leases.holdOnce(LEASE, signal, async (leaseSignal) => {
    // The previous holder of the lease may have finished the migration.
    isNew = await beginMigration(target, name);
    if (!isNew) return;
    const last = await writeItems(observe(items, leaseSignal, report), target);
    await completeMigration(target, name, last);
  });
  if (signal.aborted) throw toInterruptedError();
  return isNew;
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

/** Passes the items on and reports each event, until the signal aborts. @throws Interrupted */
export async function* observe<T extends MigrationItem>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
  report: ReportProgress,
): AsyncIterable<T> {
  const startedAt = performance.now();
  let events = 0;
  for await (const item of items) {
    if (signal.aborted) throw toInterruptedError();
    if (isEvent(item)) {
      const seconds = (performance.now() - startedAt) / 1_000;
      const perSecond = Math.round(++events / Math.max(seconds, 0.001));
      report({ events, perSecond, position: item.position ?? String(events) });
    }
    yield item;
  }
}

function toInterruptedError(): Interrupted {
  return new Interrupted('stopped; run the same command again to continue');
}
