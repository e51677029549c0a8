import { type Clock, SystemClock } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { type EventStoreDbStores, openEventStoreDb } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { SeededRandom } from '../clock.js';
import { TcpProxy } from '../tcp-proxy.js';
import { SingleNode } from './member.js';
import { EventStoreDbServer, type ServerOptions, toConnectionString } from './server.js';

/** A server, a proxy in front of it, and stores on it; `close` ends all of them. */
export class ServerFixture {
  private readonly stores: EventStoreDbStores[] = [];
  private readonly followers: EventStoreDbServer[] = [];

  private constructor(
    public server: EventStoreDbServer,
    readonly proxy: TcpProxy,
  ) {}

  static async open(options: ServerOptions = {}): Promise<ServerFixture> {
    const server = await EventStoreDbServer.start(options);
    return new ServerFixture(server, await TcpProxy.startFor(server.port));
  }

  /** The connection string through the proxy. */
  get connection(): string {
    return toConnectionString(this.proxy.port);
  }

  /** Opens another client of the server, through the proxy. */
  openStore({
    connection = this.connection,
    clock = new SystemClock(),
    deadlineMs = 2_000,
  }: { connection?: string; clock?: Clock; deadlineMs?: number } = {}) {
    const store = openEventStoreDb({ connection, clock, random: new SeededRandom(), deadlineMs });
    this.stores.push(store);
    return store.events;
  }

  /** Stops the server and starts it again on the same port with the same log. */
  async restart(whileStopped: () => Promise<unknown>): Promise<void> {
    const { port, log } = this.server;
    this.server.stop();
    await whileStopped();
    this.server = await EventStoreDbServer.start({ port, log });
  }

  /** Starts a follower node with the same log, which redirects clients to the leader. */
  async startFollower(): Promise<EventStoreDbServer> {
    const member = new SingleNode(this.server.log, () => follower.port);
    const follower = await EventStoreDbServer.start({ member });
    member.leader = this.server.port;
    this.followers.push(follower);
    return follower;
  }

  async close(): Promise<void> {
    await Promise.all(this.stores.map((store) => store.close()));
    this.proxy.close();
    for (const server of [this.server, ...this.followers]) server.stop();
  }
}

/** Opens a fixture before each test and closes it after the test. */
export function setUpServerFixture(options?: ServerOptions): { readonly current: ServerFixture } {
  let cluster: ServerFixture;
  beforeEach(async () => {
    cluster = await ServerFixture.open(options);
  });
  afterEach(() => cluster.close());
  return {
    get current() {
      return cluster;
    },
  };
}

/** Retries idempotent work as long as the store is unavailable. */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await new Promise(setImmediate);
    }
  }
}
