import { openMongo, type MongoStores } from '../../../src/stores/mongodb/mongodb.js';
import { idempotencyContract } from '../../contracts/idempotency.contract.js';
import { jobsContract } from '../../contracts/jobs.contract.js';
import { contractSkipped } from '../../contracts/contract.js';
import type { Open } from '../../contracts/opened.js';
import { readModelsContract } from '../../contracts/read-models.contract.js';
import { vaultContract } from '../../contracts/vault.contract.js';
import { ManualClock } from '../../support/clock.js';
import { IS_LIVE, NAME, onMongo, type TestServer } from './server.js';

onMongo((server) => {
  readModelsContract(
    NAME,
    opening(server, ({ models }) => models),
  );
  jobsContract(
    NAME,
    opening(server, ({ jobs }) => jobs),
  );
  idempotencyContract(
    NAME,
    opening(server, ({ idempotency }) => idempotency),
  );
  vaultContract(
    NAME,
    opening(server, ({ vault }) => vault),
  );
});

if (!IS_LIVE) contractSkipped('MongoDB (TEST_MONGODB_URL)', 'it is not set');

/** Uses a manual clock as the store's time; server-time.spec.ts tests the server's own time. */
function opening<S>(server: TestServer, port: (stores: MongoStores) => S): Open<S> {
  return async () => {
    const url = server.fresh();
    const clock = new ManualClock();
    const open = () => openMongo({ url, clock, time: { now: async () => clock.now() } });
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
        await server.drop(url);
      },
    };
  };
}
