import type { INestApplicationContext } from '@nestjs/common';
import { checkKeys } from './engine/sealing/key-check.js';
import { Keys } from './engine/sealing/keys.js';
import type { Clock } from './kernel/clock.js';
import { StoreUnavailable } from './kernel/event-store.js';
import { mustHaveMovedIn } from './stores/moving-in.js';
import { Stores } from './stores/stores.js';

/** How long a start waits for its stores: as long as a cluster takes to elect or to come up beside us. */
const PATIENCE_MS = 120_000;
const ASK_AGAIN_MS = 500;
const SAY_AGAIN_MS = 10_000;

/**
 * The stores of an application are there, all that is to be in them too, and were begun with its keys.
 * @throws StoreUnavailable, MovingIn, OtherKeys
 */
export async function reachStores(app: INestApplicationContext): Promise<void> {
  const { ports } = app.get(Stores, { strict: false });
  await ports.reach();
  await mustHaveMovedIn(ports.models);
  await checkKeys(ports.vault, app.get(Keys, { strict: false }));
}

/**
 * What a start needs its stores for, repeated while they are not there. Says so at once and every 10 s; whoever asks for readiness
 * meanwhile is told as well.
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
