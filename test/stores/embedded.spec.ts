import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded, type EmbeddedStores } from '../../src/stores/embedded/embedded.js';
import { eventStoreContract } from '../contracts/event-store.contract.js';
import { idempotencyContract } from '../contracts/idempotency.contract.js';
import { jobsContract } from '../contracts/jobs.contract.js';
import type { Open } from '../contracts/opened.js';
import { readModelsContract } from '../contracts/read-models.contract.js';
import { vaultContract } from '../contracts/vault.contract.js';
import { ManualClock } from '../support/clock.js';

const NAME = 'the embedded store';

eventStoreContract(
  NAME,
  opening(({ events }) => events),
);
readModelsContract(
  NAME,
  opening(({ models }) => models),
);
jobsContract(
  NAME,
  opening(({ jobs }) => jobs),
);
idempotencyContract(
  NAME,
  opening(({ idempotency }) => idempotency),
);
vaultContract(
  NAME,
  opening(({ vault }) => vault),
);

function opening<S>(port: (stores: EmbeddedStores) => S): Open<S> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
    const clock = new ManualClock();
    const open = () => openEmbedded({ file: join(folder, 'store.sqlite'), clock });
    let stores = await open();
    return {
      store: port(stores),
      now: () => clock.now(),
      pass: (ms) => clock.advance(ms),
      reopen: async () => {
        await stores.close();
        stores = await open();
        return port(stores);
      },
      close: async () => {
        await stores.close();
        rmSync(folder, { recursive: true });
      },
    };
  };
}
