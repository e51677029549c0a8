import { SystemClock, type Clock } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { openEventStoreDb, type EventStoreDbStores } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { SeededRandom } from '../clock.js';
import { Relay } from '../relay.js';
import { SingleNode } from './member.js';
import { connectionTo, EventStoreDbServer, type ServerOptions } from './server.js';

/** A server, a proxy in front of it, and stores on it; `close` ends all of them. */
export class House {
  private readonly stores: EventStoreDbStores[] = [];
  private readonly followers: EventStoreDbServer[] = [];

  private constructor(
    public server: EventStoreDbServer,
    readonly relay: Relay,
  ) {}

  static async open(options: ServerOptions = {}): Promise<House> {
    const server = await EventStoreDbServer.start(options);
    return new House(server, await Relay.to(server.port));
  }

  /** The connection string through the proxy. */
  get connection(): string {
    return connectionTo(this.relay.port);
  }

  /** Opens another client of the server, through the proxy. */
  store({
    connection = this.connection,
    clock = new SystemClock(),
    deadlineMs = 2_000,
  }: { connection?: string; clock?: Clock; deadlineMs?: number } = {}) {
    const store = openEventStoreDb({ connection, clock, random: new SeededRandom(), deadlineMs });
    this.stores.push(store);
    return store.events;
  }

  /** Stops the server and starts it again on the same port with the same log. */
  async restart(whileGone: () => Promise<unknown>): Promise<void> {
    const { port, log } = this.server;
    this.server.stop();
    await whileGone();
    this.server = await EventStoreDbServer.start({ port, log });
  }

  /** Starts a follower node with the same log, which redirects clients to the leader. */
  async follower(): Promise<EventStoreDbServer> {
    const member = new SingleNode(this.server.log, () => follower.port);
    const follower = await EventStoreDbServer.start({ member });
    member.leader = this.server.port;
    this.followers.push(follower);
    return follower;
  }

  async close(): Promise<void> {
    await Promise.all(this.stores.map((store) => store.close()));
    this.relay.close();
    for (const server of [this.server, ...this.followers]) server.stop();
  }
}

/** Opens a fixture before each test and closes it after the test. */
export function eachHouse(options?: ServerOptions): { readonly current: House } {
  let house: House;
  beforeEach(async () => {
    house = await House.open(options);
  });
  afterEach(() => house.close());
  return {
    get current() {
      return house;
    },
  };
}

/** Retries idempotent work as long as the store is unavailable. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await new Promise(setImmediate);
    }
  }
}
