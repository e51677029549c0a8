import { SystemClock, type Clock } from '../../../src/kernel/clock.js';
import { StoreUnavailable } from '../../../src/kernel/event-store.js';
import { openEventStoreDb, type EventStoreDbStores } from '../../../src/stores/eventstoredb/eventstoredb.js';
import { SeededRandom } from '../clock.js';
import { Relay } from '../relay.js';
import { SingleNode } from './member.js';
import { connectionTo, EventStoreDbServer, type ServerOptions } from './server.js';

/** A server, a relay before it, and stores on it: all of it ended when the test is. */
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

  /** Through the relay. */
  get connection(): string {
    return connectionTo(this.relay.port);
  }

  /** Another client of the server, through the relay. */
  store({
    connection = this.connection,
    clock = new SystemClock(),
    deadlineMs = 2_000,
  }: { connection?: string; clock?: Clock; deadlineMs?: number } = {}) {
    const store = openEventStoreDb({ connection, clock, random: new SeededRandom(), deadlineMs });
    this.stores.push(store);
    return store.events;
  }

  /** The server goes and comes back on the same port with what it had written. */
  async restart(whileGone: () => Promise<unknown>): Promise<void> {
    const { port, log } = this.server;
    this.server.stop();
    await whileGone();
    this.server = await EventStoreDbServer.start({ port, log });
  }

  /** A node with the same log that sends whoever needs the leader to the server. */
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

/** Opens before each test and closes behind it. */
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

/** Repeats what is the same however often it is done, as long as the store cannot be reached. */
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
