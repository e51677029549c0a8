import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { reach } from './failures.js';
import { makeIndexes } from './schema.js';

const DATABASE = 'event-sourced-api';
/** An operation fails within some seconds, whatever the server and the network do. */
const TIMEOUTS: MongoClientOptions = {
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  waitQueueTimeoutMS: 2_000,
  socketTimeoutMS: 4_000,
  heartbeatFrequencyMS: 2_000,
};
const PATIENT: MongoClientOptions = { ...TIMEOUTS, socketTimeoutMS: 3_600_000, maxPoolSize: 2 };
/** Whatever the URL says: what was acknowledged outlives any one server, and reads ask the one that writes. */
const CONCERNS = { writeConcern: { w: 'majority', journal: true, wtimeoutMS: 3_000 }, readPreference: 'primary' } as const;

/** The database over its connections. */
export class Connections {
  readonly db: Db;
  /** For what may take as long as the index of a large collection. */
  readonly patient: Db;
  private readonly clients: readonly MongoClient[];

  private constructor(url: string) {
    const [client, patient] = [new MongoClient(url, TIMEOUTS), new MongoClient(url, PATIENT)];
    this.clients = [client, patient];
    this.db = databaseOf(client, url);
    this.patient = databaseOf(patient, url);
  }

  /** @throws StoreUnavailable */
  static async open(url: string): Promise<Connections> {
    const connections = new Connections(url);
    try {
      await reach(() => Promise.all(connections.clients.map((client) => client.connect())));
      await makeIndexes(connections.db);
      return connections;
    } catch (error) {
      await connections.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

function databaseOf(client: MongoClient, url: string): Db {
  const [, named] = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return client.db(named === undefined ? DATABASE : decodeURIComponent(named), CONCERNS);
}
