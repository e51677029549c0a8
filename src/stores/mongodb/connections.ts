import { MongoClient, ReadConcern, type Db, type MongoClientOptions } from 'mongodb';
import { reach } from './failures.js';

const DATABASE = 'event-sourced-api';
/** An operation fails within some seconds, whatever the server and the network do. */
const TIMEOUTS: MongoClientOptions = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  waitQueueTimeoutMS: 2_000,
  socketTimeoutMS: 4_000,
  heartbeatFrequencyMS: 2_000,
  // What begins with many at once waits for connections no longer than it must.
  maxConnecting: 10,
};
const PATIENT: MongoClientOptions = { ...TIMEOUTS, socketTimeoutMS: 3_600_000, maxPoolSize: 2 };
/**
 * Whatever the URL says: an acknowledged write outlives any one server, and a read sees only such writes. A primary that has lost its
 * secondaries applies a write before it knows that nobody else has it; a read of that write would take for done what the next primary
 * undoes.
 */
const CONCERNS = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 3_000 },
  readConcern: new ReadConcern('majority'),
  readPreference: 'primary',
} as const;
/** The server ends a read that takes longer; otherwise it would go on after the socket's timeout, with nobody to answer. */
export const READ_WITHIN = { maxTimeMS: 3_000 } as const;

/** The database over its connections. */
export class Connections {
  readonly db: Db;
  /** For what may take as long as the index of a large collection. */
  readonly patient: Db;
  private readonly clients: readonly MongoClient[];

  /** Connects when it is first used. @throws MongoError for an address that the driver does not take */
  constructor(url: string) {
    const [client, patient] = [new MongoClient(url, TIMEOUTS), new MongoClient(url, PATIENT)];
    this.clients = [client, patient];
    this.db = databaseOf(client, url);
    this.patient = databaseOf(patient, url);
  }

  /** @throws StoreUnavailable */
  async reach(): Promise<void> {
    await reach(() => Promise.all(this.clients.map((client) => client.connect())));
  }

  /** By a write of its own: whoever acknowledges it has what its concern asks for. */
  async durability(): Promise<string> {
    const probe = this.db.collection<{ readonly _id: string }>('durability');
    await reach(() => probe.updateOne({ _id: { $eq: 'probe' } }, { $inc: { times: 1 } }, { upsert: true }));
    return 'every write is in the journals of a majority of the MongoDB replica set';
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

function databaseOf(client: MongoClient, url: string): Db {
  const [, named] = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return client.db(named === undefined ? DATABASE : decodeURIComponent(named), CONCERNS);
}
