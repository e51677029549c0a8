import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { generatedSessionKey } from '../../../src/generated.js';
import { newUuid } from '../../../src/kernel/ids.js';
import { Cluster } from '../eventstoredb/cluster/cluster.js';
import { EventStoreDbServer, connectionTo } from '../eventstoredb/server.js';
import { Relay } from '../relay.js';
import type { Environment } from '../service-process.js';

/** `TEST_STORES=real`: the service of a test runs on EventStoreDB's protocol and MongoDB's, not on the embedded store. */
export const ON_REAL_STORES = process.env.TEST_STORES === 'real';

/** `TEST_LOG=cluster`: the log is on three nodes. */
export const ON_CLUSTER = process.env.TEST_LOG === 'cluster';

const KEY_SET = 'session-keys.json';
const KEY = Buffer.alloc(32, 'k').toString('base64');

/** Tests that look into the file of the embedded store. */
export function itOnFile(name: string, test: () => Promise<void>): void {
  itOnEmbedded(name, test, "it looks into the embedded store's file");
}

/** Tests of lists so long that no page of them is found without an index. */
export function itOnIndexes(name: string, test: () => Promise<void>): void {
  itOnEmbedded(name, test, 'what stands in for MongoDB looks through all that it has for each page of a list');
}

/** Tests that look into the one server of the log. */
export function itOnOneNode(name: string, test: () => Promise<void>): void {
  if (!ON_CLUSTER) return it(name, test);
  process.stderr.write(`Skipped on a cluster, since it looks into one node: ${name}\n`);
  it.skip(name, test);
}

function itOnEmbedded(name: string, test: () => Promise<void>, why: string): void {
  if (!ON_REAL_STORES) return it(name, test);
  process.stderr.write(`Skipped on the real stores, since ${why}: ${name}\n`);
  it.skip(name, test);
}

/**
 * Both stores of one service, each behind a relay: a log in this process, and a database of its own on the run's MongoDB. A cluster has no
 * relay: its clients go where its nodes send them.
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

  /** @param folder in which the keys of its sessions are */
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

/** Of the run's own server, which is started before the first test. */
function mongoUrl(): string {
  const url = process.env.TEST_RUN_MONGODB_URL;
  if (url === undefined) throw new Error('TEST_STORES=real needs the MongoDB that npm run test:stores starts');
  return url;
}

/** The keys that a start on these stores insists on. Sessions are signed with the development pair, as if it were a provider's. */
export async function keysIn(folder: string): Promise<Environment> {
  const file = join(folder, KEY_SET);
  const publicHalf = { ...generatedSessionKey(folder), d: undefined };
  await writeFile(file, JSON.stringify({ keys: [publicHalf] }));
  const session = { SESSION_JWKS: file, SESSION_ISSUER: 'development', SESSION_AUDIENCE: 'event-sourced-api' };
  return { MASTER_KEY: KEY, KEY_PEPPER: KEY, ...session };
}
