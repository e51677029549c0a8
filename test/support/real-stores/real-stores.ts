import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { generatedSessionKey } from '../../../src/generated.js';
import { newUuid } from '../../../src/kernel/ids.js';
import { Cluster } from '../eventstoredb/cluster/cluster.js';
import { EventStoreDbServer, connectionTo } from '../eventstoredb/server.js';
import { Relay } from '../relay.js';
import type { Environment } from '../service-process.js';

/** `TEST_STORES=real`: services of tests use EventStoreDB's and MongoDB's protocols instead of the embedded store. */
export const ON_REAL_STORES = process.env.TEST_STORES === 'real';

/** `TEST_LOG=cluster`: the log runs on three nodes. */
export const ON_CLUSTER = process.env.TEST_LOG === 'cluster';

const KEY_SET = 'session-keys.json';
const KEY = Buffer.alloc(32, 'k').toString('base64');

/** Declares a test that reads the file of the embedded store. */
export function itOnFile(name: string, test: () => Promise<void>): void {
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

function itOnEmbedded(name: string, test: () => Promise<void>, why: string): void {
  if (!ON_REAL_STORES) return it(name, test);
  process.stderr.write(`Skipped on external stores, because ${why}: ${name}\n`);
  it.skip(name, test);
}

/**
 * Both stores of one service, each with a proxy: a log in this process, and a separate database on the MongoDB of the
 * run. A cluster has no proxy, because its nodes redirect clients to each other.
 */
export class RealStores {
  private constructor(
    readonly environment: Environment,
    readonly server: EventStoreDbServer,
    readonly log: Relay,
    readonly documents: Relay,
    private readonly url: string,
    private readonly cluster: Cluster | null,
  ) {}

  /** @param folder of the session keys */
  static async open(folder: string): Promise<RealStores> {
    const mongo = new URL(mongoUrl());
    const server = await EventStoreDbServer.start();
    const [log, documents] = await Promise.all([Relay.to(server.port), Relay.to(Number(mongo.port))]);
    mongo.pathname = `service-${newUuid()}`;
    const direct = String(mongo);
    mongo.port = String(documents.port);
    const cluster = ON_CLUSTER ? await Cluster.start() : null;
    const stores = { EVENT_STORE: cluster?.connection ?? connectionTo(log.port), MONGODB_URL: `${String(mongo)}?directConnection=true` };
    return new RealStores({ ...stores, ...(await keysIn(folder)) }, server, log, documents, direct, cluster);
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
function mongoUrl(): string {
  const url = process.env.TEST_RUN_MONGODB_URL;
  if (url === undefined) throw new Error('TEST_STORES=real needs the MongoDB that npm run test:stores starts');
  return url;
}

/**
 * Writes the key set that external stores require and returns its settings. The development pair acts as the identity
 * provider's pair.
 */
export async function keysIn(folder: string): Promise<Environment> {
  const file = join(folder, KEY_SET);
  const publicHalf = { ...generatedSessionKey(folder), d: undefined };
  await writeFile(file, JSON.stringify({ keys: [publicHalf] }));
  const session = { SESSION_JWKS: file, SESSION_ISSUER: 'development', SESSION_AUDIENCE: 'event-sourced-api' };
  return { MASTER_KEY: KEY, KEY_PEPPER: KEY, ...session };
}
