import { type Db, MongoClient, type MongoClientOptions, ReadConcern } from 'mongodb';
import { translateOutages } from './failures.js';

const DATABASE = 'event-sourced-api';
/** Every operation fails within a few seconds when the server or the network does not respond. */
const TIMEOUTS: MongoClientOptions = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  waitQueueTimeoutMS: 2_000,
  socketTimeoutMS: 4_000,
  heartbeatFrequencyMS: 2_000,
  // Many operations at the start of the process wait less for connections.
  maxConnecting: 10,
};
const LONG_TIMEOUTS: MongoClientOptions = { ...TIMEOUTS, socketTimeoutMS: 3_600_000, maxPoolSize: 2 };
/**
 * Overrides the options of the URL: an acknowledged write survives the loss of any single server, and a read sees
 * only such writes. A primary that has lost its secondaries applies writes that the next primary will undo; a read
 * must not return them.
 */
const CONCERNS = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 3_000 },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
} as const;
/**
 * The server ends a longer read; otherwise the read would continue after the timeout of the socket without a client.
 */
export const READ_TIMEOUT = { maxTimeMS: 3_000 } as const;

/** The database with its connections. */
export class MongoConnections {
  readonly db: Db;
  /** The same database with long timeouts, for operations such as indexing a large collection. */
  readonly longRunning: Db;
  private readonly clients: readonly MongoClient[];

  /** Connects when it is first used. @throws MongoError for a URL that the driver refuses */
  constructor(url: string) {
    const [client, patient] = [new MongoClient(url, TIMEOUTS), new MongoClient(url, LONG_TIMEOUTS)];
    this.clients = [client, patient];
    this.db = openDatabase(client, url);
    this.longRunning = openDatabase(patient, url);
  }

  /** @throws StoreUnavailable */
  async connect(): Promise<void> {
    await translateOutages(() => Promise.all(this.clients.map((client) => client.connect())));
  }

  /** Checks the durability with a write: its acknowledgement shows that the write concern holds. */
  async checkDurability(): Promise<string> {
    const probe = this.db.collection<{ readonly _id: string }>('durability');
    await translateOutages(() => probe.updateOne({ _id: { $eq: 'probe' } }, { $inc: { times: 1 } }, { upsert: true }));
    return 'every write is in the journals of a majority of the MongoDB replica set';
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

function openDatabase(client: MongoClient, url: string): Db {
  const [, named] = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return client.db(named === undefined ? DATABASE : decodeURIComponent(named), CONCERNS);
}
