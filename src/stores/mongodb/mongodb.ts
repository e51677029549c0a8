import { SystemClock, type Clock } from '../../kernel/clock.js';
import { Connections } from './connections.js';
import { Doorbell } from './doorbell.js';
import { MongoIdempotency } from './idempotency.js';
import { MongoJobs } from './jobs.js';
import { MongoReadModels } from './read-models.js';
import { ServerTime, type StoreTime } from './server-time.js';
import { MongoVault } from './vault.js';

const SWEEP_MS = 60_000;

export interface MongoOptions {
  /** Names the database too; `event-sourced-api` unless it does. */
  readonly url: string;
  readonly clock?: Clock;
  /** Default: the server's own, as measured by the clock. */
  readonly time?: StoreTime;
}

/** The four ports on one database. */
export interface MongoStores {
  readonly models: MongoReadModels;
  readonly jobs: MongoJobs;
  readonly idempotency: MongoIdempotency;
  readonly vault: MongoVault;
  close(): Promise<void>;
}

/** Several processes may open the same database. @throws StoreUnavailable when it cannot be reached */
export async function openMongo({ url, clock = new SystemClock(), time: given }: MongoOptions): Promise<MongoStores> {
  const connections = await Connections.open(url);
  const { db, patient } = connections;
  const time = given ?? new ServerTime(db, clock);
  const bell = new Doorbell(db);
  const idempotency = new MongoIdempotency(db, time);
  // What cannot be swept now is swept by the next one.
  const sweeping = setInterval(() => void idempotency.sweep().catch(() => undefined), SWEEP_MS).unref();
  return {
    models: new MongoReadModels(db, patient, time),
    jobs: new MongoJobs(db, bell, time),
    idempotency,
    vault: new MongoVault(db),
    close: async () => {
      clearInterval(sweeping);
      bell.close();
      await connections.close();
    },
  };
}
