import type { INestApplicationContext } from '@nestjs/common';
import { verifyKeys } from '../engine/encryption/key-check.js';
import { Keys } from '../engine/encryption/keys.js';
import type { Clock } from '../kernel/clock.js';
import { StoreUnavailable } from '../kernel/event-store.js';
import { requireFinishedMigration } from '../stores/migration-marker.js';
import { Stores } from '../stores/stores.js';

/** The maximum time that a start waits for its stores. A cluster can start or elect a leader within this time. */
const TIMEOUT_MS = 120_000;
const RETRY_MS = 500;
const LOG_EVERY_MS = 10_000;

/**
 * Checks that the stores of an application are reachable, hold no unfinished import and were initialized with its keys.
 * @throws StoreUnavailable, MigrationError, KeyMismatch
 */
export async function reachStores(app: INestApplicationContext): Promise<void> {
  const { ports } = app.get(Stores, { strict: false });
  await ports.ensureReady();
  await requireFinishedMigration(ports.models);
  await verifyKeys(ports.vault, app.get(Keys, { strict: false }));
}

/**
 * Runs the work, and runs it again while the stores are not reachable. Logs this immediately and every 10 s; readiness
 * reports it too.
 * @throws StoreUnavailable after two minutes
 */
export async function retryUntilReachable(clock: Clock, work: () => Promise<void>): Promise<void> {
  const startedAt = clock.monotonic();
  for (let loggedAt = -Infinity; ;) {
    try {
      return await work();
    } catch (error) {
      const now = clock.monotonic();
      if (!(error instanceof StoreUnavailable) || now - startedAt >= TIMEOUT_MS) throw error;
      if (now - loggedAt >= LOG_EVERY_MS) {
        console.error(`waiting for the stores: ${error.message}`);
        loggedAt = now;
      }
      await clock.sleep(RETRY_MS);
    }
  }
}
