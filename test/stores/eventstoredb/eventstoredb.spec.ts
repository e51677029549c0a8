import { SystemClock } from '../../../src/kernel/clock.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import { openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { eventStoreContract } from '../../contracts/event-store.contract.js';
import { contractSkipped } from '../../contracts/contract.js';
import type { Open } from '../../contracts/opened.js';
import { Cluster } from '../../support/eventstoredb/cluster/cluster.js';
import { EventStoreDbServer } from '../../support/eventstoredb/server.js';

const LIVE = process.env.TEST_EVENT_STORE;

eventStoreContract('EventStoreDB (a server in this process)', async () => {
  const server = await EventStoreDbServer.start();
  return opened(server.connection, () => server.stop());
});

eventStoreContract('EventStoreDB (a cluster of three in this process)', async () => {
  const cluster = await Cluster.start();
  return opened(cluster.connection, () => cluster.close());
});

if (LIVE) eventStoreContract('EventStoreDB (TEST_EVENT_STORE)', () => opened(LIVE, () => undefined));
else contractSkipped('The log on EventStoreDB (TEST_EVENT_STORE)', 'it is not set');

async function opened(connection: string, end: () => void): ReturnType<Open<EventStore>> {
  const clock = new SystemClock();
  let store = openEventStoreDb({ connection, clock });
  return {
    store: store.events,
    now: () => clock.now(),
    pass: (ms) => clock.sleep(ms),
    reopen: async () => {
      await store.close();
      store = openEventStoreDb({ connection, clock });
      return store.events;
    },
    close: async () => {
      await store.close();
      end();
    },
  };
}
