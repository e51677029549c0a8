import { type MongoStores, openMongo } from '../../../src/stores/mongodb/mongodb.js';
import { skipContract } from '../../contracts/contract.js';
import { describeIdempotency } from '../../contracts/idempotency.contract.js';
import { describeJobs } from '../../contracts/jobs.contract.js';
import type { OpenStoreFunction } from '../../contracts/open-store.js';
import { describeReadModels } from '../../contracts/read-models.contract.js';
import { describeLongSlices } from '../../contracts/slices.js';
import { describeVault } from '../../contracts/vault.contract.js';
import { ManualClock } from '../../support/clock.js';
import { IS_LIVE, NAME, onMongo, type TestServer } from './server.js';

onMongo((server) => {
  describeReadModels(
    NAME,
    openPort(server, (stores) => stores),
  );
  describeLongSlices(
    NAME,
    openPort(server, (stores) => stores),
  );
  describeJobs(
    NAME,
    openPort(server, ({ jobs }) => jobs),
  );
  describeIdempotency(
    NAME,
    openPort(server, ({ idempotency }) => idempotency),
  );
  describeVault(
    NAME,
    openPort(server, ({ vault }) => vault),
  );
});

if (!IS_LIVE) skipContract('MongoDB (TEST_MONGODB_URL)', 'it is not set');

/** Uses a manual clock as the store's time; server-time.spec.ts tests the server's own time. */
function openPort<S>(server: TestServer, port: (stores: MongoStores) => S): OpenStoreFunction<S> {
  return async () => {
    const url = server.createDatabase();
    const clock = new ManualClock();
    const open = () => openMongo({ url, clock, time: { now: async () => clock.now() } });
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
        await server.dropDatabase(url);
      },
    };
  };
}
