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
  /** Names the database too; `event-sourced-api` unless it does. */
  readonly url: string;
  readonly clock?: Clock;
  /** Default: the server's own, as measured by the clock. */
  readonly time?: StoreTime;
}

/** The four ports on one database. It is reached when its indexes are there too; `durability` asks for a write in a majority's journals. */
export interface MongoStores extends Omit<Ports, 'events'> {
  readonly models: MongoReadModels;
  readonly idempotency: MongoIdempotency;
}

/** Several processes may open the same database. @throws StoreUnavailable when it cannot be reached; WrongAddress */
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

/** The same, and nobody is asked before it is used. @throws WrongAddress */
export function mongoAt({ url, clock = new SystemClock(), time: given }: MongoOptions): MongoStores {
  const connections = connectionsTo(url);
  const { db, patient } = connections;
  const time = given ?? new ServerTime(db, clock);
  const bell = new Doorbell(db);
  const format = new MongoFormat(db);
  const idempotency = new MongoIdempotency(db, time);
  // What cannot be swept now is swept by the next one.
  const sweeping = setInterval(() => void idempotency.sweep().catch(() => undefined), SWEEP_MS).unref();
  const models = new MongoReadModels(db, patient, time);
  // What cannot be closed now is closed by the next one.
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
      // The first call spares what was written to since the last one.
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
