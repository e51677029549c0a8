import type { INestApplicationContext } from '@nestjs/common';
import { checkKeys } from './engine/sealing/key-check.js';
import { Keys } from './engine/sealing/keys.js';
import type { Clock } from './kernel/clock.js';
import { StoreUnavailable } from './kernel/event-store.js';
import { mustHaveMovedIn } from './stores/moving-in.js';
import { Stores } from './stores/stores.js';

/** The maximum time that a start waits for its stores. A cluster can start or elect a leader within this time. */
const PATIENCE_MS = 120_000;
const ASK_AGAIN_MS = 500;
const SAY_AGAIN_MS = 10_000;

/**
 * Checks that the stores of an application are reachable, hold no unfinished import and were initialized with its keys.
 * @throws StoreUnavailable, MigrationError, KeyMismatch
 */
export async function reachStores(app: INestApplicationContext): Promise<void> {
  const { ports } = app.get(Stores, { strict: false });
  await ports.reach();
  await mustHaveMovedIn(ports.models);
  await checkKeys(ports.vault, app.get(Keys, { strict: false }));
}

/**
 * Runs the work, and runs it again while the stores are not reachable. Logs this immediately and every 10 s; readiness
 * reports it too.
 * @throws StoreUnavailable after two minutes
 */
export async function onceReachable(clock: Clock, work: () => Promise<void>): Promise<void> {
  const began = clock.monotonic();
  for (let said = -Infinity; ;) {
    try {
      return await work();
    } catch (error) {
      const now = clock.monotonic();
      if (!(error instanceof StoreUnavailable) || now - began >= PATIENCE_MS) throw error;
      if (now - said >= SAY_AGAIN_MS) {
        console.error(`waiting for the stores: ${error.message}`);
        said = now;
      }
      await clock.sleep(ASK_AGAIN_MS);
    }
  }
}
