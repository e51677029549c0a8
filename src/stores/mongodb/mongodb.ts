import { reportAndIgnore } from '../../kernel/background-errors.js';
import { type Clock, SystemClock } from '../../kernel/clock.js';
import { InvalidStoreUrl } from '../invalid-store-url.js';
import type { Ports } from '../ports.js';
import { MongoBuildCatalogue } from './build-catalogue.js';
import { ChangeNotifier } from './change-notifier.js';
import { MongoCheckpoints } from './checkpoints.js';
import { MongoConnections } from './connections.js';
import { MongoFormat } from './format.js';
import { MongoIdempotency } from './idempotency.js';
import { MongoJobs } from './jobs.js';
import { MongoLeases } from './leases.js';
import { MongoReadModels } from './read-models.js';
import { repeat } from './repeat.js';
import { createIndexes } from './schema.js';
import { ServerTime, type StoreTime } from './server-time.js';
import { MongoVault } from './vault.js';

const SWEEP_INTERVAL_MS = 60_000;
const CLOSE_PARTS_INTERVAL_MS = 30_000;
/** The name of the closing of parts in reports. */
const SIZES = 'sizes of lists';

export interface MongoOptions {
  /** May name the database. Default: `event-sourced-api`. */
  readonly url: string;
  readonly clock?: Clock;
  /** Default: the time of the server, extrapolated with the clock. */
  readonly time?: StoreTime;
}

/** All ports except the event store, on one database. Its durability check makes a write that a majority has to journal. */
export interface MongoStores extends Omit<Ports, 'events'> {
  readonly models: MongoReadModels;
  readonly idempotency: MongoIdempotency;
}

/** Opens and checks the database; several processes may open the same one. @throws StoreUnavailable, InvalidStoreUrl */
export async function openMongo(options: MongoOptions): Promise<MongoStores> {
  const stores = createMongo(options);
  try {
    await stores.ensureReady();
    return stores;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Creates the ports without contacting the server. @throws InvalidStoreUrl */
export function createMongo({ url, clock = new SystemClock(), time: given }: MongoOptions): MongoStores {
  const connections = createConnections(url);
  const time = given ?? new ServerTime(connections.db, clock);
  const notifier = new ChangeNotifier(connections.db);
  const ports = createPorts(connections, notifier, time);
  const closeUnusedParts = () => ports.models.closeUnusedParts().catch(reportAndIgnore({ kind: 'loop', name: SIZES }));
  const endings = [
    repeat('idempotency keys', () => ports.idempotency.sweep(), SWEEP_INTERVAL_MS),
    repeat(SIZES, () => ports.models.closeUnusedParts(), CLOSE_PARTS_INTERVAL_MS),
  ];
  return {
    ...ports,
    ensureReady: () => prepare(connections, ports.format),
    checkDurability: () => connections.checkDurability(),
    close: async () => {
      for (const end of endings) end();
      notifier.close();
      // The first call keeps the parts that were written to since the call before it.
      await closeUnusedParts().then(closeUnusedParts);
      await connections.close();
    },
  };
}

function createPorts(connections: MongoConnections, notifier: ChangeNotifier, time: StoreTime) {
  const { db } = connections;
  return {
    models: new MongoReadModels(connections, time),
    checkpoints: new MongoCheckpoints(db),
    leases: new MongoLeases(db, time),
    catalogue: new MongoBuildCatalogue(db),
    jobs: new MongoJobs(db, notifier, time),
    idempotency: new MongoIdempotency(db, time),
    vault: new MongoVault(db),
    format: new MongoFormat(db),
  };
}

async function prepare(connections: MongoConnections, format: MongoFormat): Promise<void> {
  await connections.connect();
  await format.raise();
  await createIndexes(connections);
}

function createConnections(url: string): MongoConnections {
  try {
    return new MongoConnections(url);
  } catch (error) {
    throw new InvalidStoreUrl('MONGODB_URL', (error as Error).message);
  }
}
