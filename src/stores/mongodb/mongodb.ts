import { SystemClock, type Clock } from '../../kernel/clock.js';
import type { Ports } from '../ports.js';
import { WrongAddress } from '../wrong-address.js';
import { Connections } from './connections.js';
import { Doorbell } from './doorbell.js';
import { MongoFormat } from './format.js';
import { MongoIdempotency } from './idempotency.js';
import { MongoJobs } from './jobs.js';
import { MongoReadModels } from './read-models.js';
import { makeIndexes } from './schema.js';
import { ServerTime, type StoreTime } from './server-time.js';
import { MongoVault } from './vault.js';

const SWEEP_MS = 60_000;
const SETTLE_MS = 30_000;

export interface MongoOptions {
  /** May name the database. Default: `event-sourced-api`. */
  readonly url: string;
  readonly clock?: Clock;
  /** Default: the time of the server, extrapolated with the clock. */
  readonly time?: StoreTime;
}

/** The four ports on one database. Its durability check makes a write that a majority has to journal. */
export interface MongoStores extends Omit<Ports, 'events'> {
  readonly models: MongoReadModels;
  readonly idempotency: MongoIdempotency;
}

/** Opens and checks the database; several processes may open the same one. @throws StoreUnavailable, InvalidStoreUrl */
export async function openMongo(options: MongoOptions): Promise<MongoStores> {
  const stores = mongoAt(options);
  try {
    await stores.reach();
    return stores;
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Creates the ports without contacting the server. @throws InvalidStoreUrl */
export function mongoAt({ url, clock = new SystemClock(), time: given }: MongoOptions): MongoStores {
  const connections = connectionsTo(url);
  const { db, patient } = connections;
  const time = given ?? new ServerTime(db, clock);
  const bell = new Doorbell(db);
  const format = new MongoFormat(db);
  const idempotency = new MongoIdempotency(db, time);
  // The next run repeats a failed sweep.
  const sweeping = setInterval(() => void idempotency.sweep().catch(() => undefined), SWEEP_MS).unref();
  const models = new MongoReadModels(db, patient, time);
  // The next run repeats a failed close.
  const settle = () => models.settle().catch(() => undefined);
  const settling = setInterval(() => void settle(), SETTLE_MS).unref();
  return {
    models,
    jobs: new MongoJobs(db, bell, time),
    idempotency,
    vault: new MongoVault(db),
    format,
    reach: async () => {
      await connections.reach();
      await format.raise();
      await makeIndexes(db);
    },
    durability: () => connections.durability(),
    close: async () => {
      clearInterval(sweeping);
      clearInterval(settling);
      bell.close();
      // The first call keeps the parts that were written to since the call before it.
      await settle().then(settle);
      await connections.close();
    },
  };
}

function connectionsTo(url: string): Connections {
  try {
    return new Connections(url);
  } catch (error) {
    throw new WrongAddress('MONGODB_URL', (error as Error).message);
  }
}
