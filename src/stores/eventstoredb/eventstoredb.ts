import { type Clock, type Random, SystemClock, SystemRandom } from '../../kernel/clock.js';
import { Connection } from './connection.js';
import { parseConnectionString } from './connection-string.js';
import { EventStoreDbEventStore } from './event-store.js';

const DEADLINE_MS = 5_000;

export interface EventStoreDbOptions {
  /**
   * In the format of EventStoreDB and KurrentDB: `esdb://user:password@host:2113`, several hosts, or
   * `esdb+discover://…`.
   */
  readonly connection: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How long a call may take (5 s). */
  readonly deadlineMs?: number;
  /** How long a page waits for more events once it has one, unless the caller of `follow` sets it (0). */
  readonly lingerMs?: number;
}

/** The event log in EventStoreDB; other stores implement the other ports. */
export interface EventStoreDbStores {
  readonly events: EventStoreDbEventStore;
  /** Describes the durability of an append; no client can check it. */
  readonly durability: string;
  /** Closes the connection; running calls fail. */
  close(): Promise<void>;
}

/** Creates the store, which connects when it is first used. @throws when the connection string is invalid */
export function openEventStoreDb({
  connection: text,
  clock = new SystemClock(),
  random = new SystemRandom(),
  deadlineMs = DEADLINE_MS,
  lingerMs = 0,
}: EventStoreDbOptions): EventStoreDbStores {
  const connection = new Connection(parseConnectionString(text), clock, deadlineMs);
  return {
    events: new EventStoreDbEventStore(connection, clock, random, lingerMs),
    durability: 'every append is on a majority of the nodes of EventStoreDB, each of which flushes it to its disk',
    close: () => connection.close(),
  };
}
