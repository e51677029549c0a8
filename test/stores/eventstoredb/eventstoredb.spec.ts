import { SystemClock } from '../../../src/kernel/clock.js';
import type { EventStore } from '../../../src/kernel/event-store.js';
import { openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { skipContract } from '../../contracts/contract.js';
import { describeEventStore } from '../../contracts/event-store.contract.js';
import type { OpenStoreFunction } from '../../contracts/open-store.js';
import { Cluster } from '../../support/eventstoredb/cluster/cluster.js';
import { EventStoreDbServer } from '../../support/eventstoredb/server.js';

const LIVE = process.env.TEST_EVENT_STORE;

describeEventStore('EventStoreDB (a server in this process)', async () => {
  const server = await EventStoreDbServer.start();
  return openStore(server.connection, () => server.stop());
});

describeEventStore('EventStoreDB (a cluster of three in this process)', async () => {
  const cluster = await Cluster.start();
  return openStore(cluster.connection, () => cluster.close());
});

if (LIVE) describeEventStore('EventStoreDB (TEST_EVENT_STORE)', () => openStore(LIVE, () => undefined));
else skipContract('The log on EventStoreDB (TEST_EVENT_STORE)', 'it is not set');

async function openStore(connection: string, end: () => void): ReturnType<OpenStoreFunction<EventStore>> {
  const clock = new SystemClock();
  let store = openEventStoreDb({ connection, clock });
  return {
    store: store.events,
    now: () => clock.now(),
    advanceTime: (ms) => clock.sleep(ms),
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
