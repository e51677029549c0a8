import { type CreateIndexesOptions, type Db, MongoClient, type MongoClientOptions, ReadConcern } from 'mongodb';
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
const LONG_MS = 3_600_000;
/** A first start creates hundreds of indexes, which wait for each other. */
const LONG_TIMEOUTS: MongoClientOptions = {
  ...TIMEOUTS,
  socketTimeoutMS: LONG_MS,
  waitQueueTimeoutMS: LONG_MS,
  maxPoolSize: 10,
};
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

export class MongoConnections {
  readonly db: Db;
  /** The same database with long timeouts, for operations such as indexing a large collection. */
  readonly longRunning: Db;
  private readonly clients: readonly MongoClient[];
  private isReplicated = false;
  /** The election of the primary that the client knows, and the last one in which a write was committed. */
  private election = '';
  private committedElection = '';

  /** Connects when it is first used. @throws MongoError for a URL that the driver refuses */
  constructor(url: string) {
    const [client, patient] = [new MongoClient(url, TIMEOUTS), new MongoClient(url, LONG_TIMEOUTS)];
    this.clients = [client, patient];
    patient.on('serverDescriptionChanged', ({ newDescription: { setName, type } }) => {
      if (type !== 'Unknown') this.isReplicated = setName !== null || type === 'Mongos';
    });
    client.on('serverDescriptionChanged', ({ newDescription: { type, address, electionId } }) => {
      if (type === 'RSPrimary') this.election = `${address} ${electionId?.toHexString() ?? ''}`;
    });
    this.db = openDatabase(client, url);
    this.longRunning = openDatabase(patient, url);
  }

  /** @throws StoreUnavailable */
  async connect(): Promise<void> {
    await translateOutages(() => Promise.all(this.clients.map((client) => client.connect())));
  }

  /** Checks the durability with a write: its acknowledgement shows that the write concern holds. */
  async checkDurability(): Promise<string> {
    await translateOutages(() => this.commitProbe());
    return this.isReplicated
      ? 'every write is in the journals of a majority of the MongoDB replica set'
      : 'every write is in the journal of one MongoDB server, which has no replicas';
  }

  /**
   * Options for the creation of an index. By default a server of a replica set waits for every voting member, also for
   * one that is away; a server without replicas refuses the option.
   */
  get indexOptions(): CreateIndexesOptions {
    return this.isReplicated ? { commitQuorum: 'majority' } : {};
  }

  /**
   * Reads what a majority has, including every acknowledged write. A new primary may answer such a read from an older
   * majority until it has committed a write of its own, so this commits one first after each election.
   */
  async readCommitted<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      const { election } = this;
      if (election !== this.committedElection) {
        await this.commitProbe();
        this.committedElection = election;
      }
      const found = await read();
      // The read may have gone to the primary of a later election.
      if (election === this.election) return found;
    }
  }

  private async commitProbe(): Promise<void> {
    const probe = this.db.collection<{ readonly _id: string }>('durability');
    await probe.updateOne({ _id: { $eq: 'probe' } }, { $inc: { times: 1 } }, { upsert: true });
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.close()));
  }
}

function openDatabase(client: MongoClient, url: string): Db {
  const [, named] = /^[^:]+:\/\/[^/]+\/([^?]+)/.exec(url) ?? [];
  return client.db(named === undefined ? DATABASE : decodeURIComponent(named), CONCERNS);
}
