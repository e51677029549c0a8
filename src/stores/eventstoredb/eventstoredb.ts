import { SystemClock, SystemRandom, type Clock, type Random } from '../../kernel/clock.js';
import { addressIn } from './address.js';
import { Connection } from './connection.js';
import { EventStoreDbEventStore } from './event-store.js';

const DEADLINE_MS = 5_000;

export interface EventStoreDbOptions {
  /** As EventStoreDB and KurrentDB write it: `esdb://user:password@host:2113`, several hosts, or `esdb+discover://…`. */
  readonly connection: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** How long a call may take (5 s). */
  readonly deadlineMs?: number;
  /** How long a page waits for more events once it has one, unless its follower says so itself (0). */
  readonly lingerMs?: number;
}

/** The log alone: the other ports are not EventStoreDB's business. */
export interface EventStoreDbStores {
  readonly events: EventStoreDbEventStore;
  /** What an append has behind it, in words: no client can ask for it. */
  readonly durability: string;
  /** What is under way fails. */
  close(): Promise<void>;
}

/** Connects when it is first used. @throws when the connection string is wrong */
export function openEventStoreDb({
  connection: text,
  clock = new SystemClock(),
  random = new SystemRandom(),
  deadlineMs = DEADLINE_MS,
  lingerMs = 0,
}: EventStoreDbOptions): EventStoreDbStores {
  const connection = new Connection(addressIn(text), clock, deadlineMs);
  return {
    events: new EventStoreDbEventStore(connection, clock, random, lingerMs),
    durability: 'every append is on a majority of the nodes of EventStoreDB, each of which flushes it to its disk',
    close: () => connection.close(),
  };
}
