import { MongoClient } from 'mongodb';
import { readOrGenerateSessionKey } from '../../../src/config/generated-secrets.js';
import { newUuid } from '../../../src/kernel/ids.js';
import { Cluster } from '../eventstoredb/cluster/cluster.js';
import { EventStoreDbServer, toConnectionString } from '../eventstoredb/server.js';
import type { Environment } from '../service-process.js';
import { TcpProxy } from '../tcp-proxy.js';
import { writeKeySet } from './key-set.js';

/** `TEST_STORES=real`: services of tests use EventStoreDB's and MongoDB's protocols instead of the embedded store. */
export const ON_EXTERNAL_STORES = process.env.TEST_STORES === 'real';

/** `TEST_LOG=cluster`: the log runs on three nodes. */
export const ON_CLUSTER = process.env.TEST_LOG === 'cluster';

/** Declares a test that reads the file of the embedded store. */
export function itOnEmbeddedFile(name: string, test: () => Promise<void>): void {
  itOnEmbedded(name, test, "the test reads the embedded store's file");
}

/** Declares a test of lists so long that a page needs an index. */
export function itOnIndexes(name: string, test: () => Promise<void>): void {
  itOnEmbedded(name, test, 'the substitute for MongoDB scans all documents for each page of a list');
}

/** Declares a test that reads the single server of the log. */
export function itOnOneNode(name: string, test: () => Promise<void>): void {
  if (!ON_CLUSTER) return it(name, test);
  process.stderr.write(`Skipped on a cluster, because the test reads one node: ${name}\n`);
  it.skip(name, test);
}

function itOnEmbedded(name: string, test: () => Promise<void>, reason: string): void {
  if (!ON_EXTERNAL_STORES) return it(name, test);
  process.stderr.write(`Skipped on external stores, because ${reason}: ${name}\n`);
  it.skip(name, test);
}

/**
 * Both stores of one service, each with a proxy: a log in this process, and a separate database on the MongoDB of the
 * run. A cluster has no proxy, because its nodes redirect clients to each other.
 */
export class ExternalStores {
  private constructor(
    readonly environment: Environment,
    readonly server: EventStoreDbServer,
    readonly log: TcpProxy,
    readonly documents: TcpProxy,
    private readonly url: string,
    private readonly cluster: Cluster | null,
  ) {}

  /** @param folder of the session keys */
  static async open(folder: string): Promise<ExternalStores> {
    const mongo = new URL(requireMongoUrl());
    const server = await EventStoreDbServer.start();
    const [log, documents] = await Promise.all([TcpProxy.startFor(server.port), TcpProxy.startFor(Number(mongo.port))]);
    mongo.pathname = `service-${newUuid()}`;
    const direct = String(mongo);
    mongo.port = String(documents.port);
    const cluster = ON_CLUSTER ? await Cluster.start() : null;
    const stores = {
      EVENT_STORE: cluster?.connection ?? toConnectionString(log.port),
      MONGODB_URL: `${String(mongo)}?directConnection=true`,
    };
    return new ExternalStores({ ...stores, ...(await writeKeys(folder)) }, server, log, documents, direct, cluster);
  }

  async close(): Promise<void> {
    const client = new MongoClient(this.url);
    await client.db().dropDatabase();
    await client.close();
    for (const relay of [this.log, this.documents]) relay.close();
    this.server.stop();
    this.cluster?.close();
  }
}

/** Returns the URL of the MongoDB that is started before the first test. */
function requireMongoUrl(): string {
  const url = process.env.TEST_RUN_MONGODB_URL;
  if (url === undefined) throw new Error('TEST_STORES=real needs the MongoDB that npm run test:stores starts');
  return url;
}

/** Writes the key set that external stores require, with the development pair, and returns its settings. */
export function writeKeys(folder: string): Promise<Environment> {
  return writeKeySet(folder, readOrGenerateSessionKey(folder));
}
