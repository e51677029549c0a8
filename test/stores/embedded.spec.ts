import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedStores, openEmbedded } from '../../src/stores/embedded/embedded.js';
import { describeEventStore } from '../contracts/event-store.contract.js';
import { describeIdempotency } from '../contracts/idempotency.contract.js';
import { describeJobs } from '../contracts/jobs.contract.js';
import type { OpenStoreFunction } from '../contracts/open-store.js';
import { describeReadModels } from '../contracts/read-models.contract.js';
import { describeLongSlices } from '../contracts/slices.js';
import { describeVault } from '../contracts/vault.contract.js';
import { ManualClock } from '../support/clock.js';

const NAME = 'the embedded store';

describeEventStore(
  NAME,
  openPort(({ events }) => events),
);
describeReadModels(
  NAME,
  openPort((stores) => stores),
);
describeLongSlices(
  NAME,
  openPort((stores) => stores),
);
describeJobs(
  NAME,
  openPort(({ jobs }) => jobs),
);
describeIdempotency(
  NAME,
  openPort(({ idempotency }) => idempotency),
);
describeVault(
  NAME,
  openPort(({ vault }) => vault),
);

function openPort<S>(port: (stores: EmbeddedStores) => S): OpenStoreFunction<S> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'embedded-'));
    const clock = new ManualClock();
    const open = () => openEmbedded({ file: join(folder, 'store.sqlite'), clock });
    let stores = await open();
    return {
      store: port(stores),
      now: () => clock.now(),
      advanceTime: (ms) => clock.advance(ms),
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
