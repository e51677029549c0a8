import type { NewEvent, Recorded } from './event.js';
import type { Position } from './position.js';

/** The stream's revision is not the expected one; nothing was written. */
export class Conflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: Expected,
    readonly actual: Expected,
  ) {
    super(`${stream}: expected revision ${expected}, found ${actual}`);
    this.name = 'Conflict';
  }
}

/**
 * The store cannot be reached, or did not say what became of a write.
 * `maybeWritten`: repeat the identical write at the same revision; the store then answers as if for the first time.
 */
export class StoreUnavailable extends Error {
  constructor(
    message: string,
    readonly maybeWritten: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** An operator has deleted the stream for good: what it told is gone, and nothing is recorded in it any more. */
export class StreamDeleted extends Error {
  constructor(stream: string) {
    super(`${stream}: the stream was deleted for good`);
    this.name = 'StreamDeleted';
  }
}

/** `'none'`: the stream does not exist yet; a number: its last revision. */
export type Expected = 'none' | number;

export interface Appended {
  /** Revision and position of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
  /** Of every event of an append of several, where the store tells. */
  readonly positions?: readonly Position[];
}

/** Streams whose name begins with one of the prefixes, `subscription-` for a category. Absent: everything. */
export interface Filter {
  readonly prefixes: readonly string[];
}

/** A piece of the log. `next` is the only thing that anyone checkpoints; it may move on with no events. */
export interface Page {
  readonly events: readonly Recorded[];
  readonly next: Position;
  /** Nothing more was in the log when the page was read. */
  readonly caughtUp: boolean;
  /** How many events on its way are not this service's and were passed over; absent for none. */
  readonly foreign?: number;
}

export interface ReadStreamOptions {
  /** First revision to read; forwards from 0, backwards from the last one, unless told. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive. Forwards begins behind `after`; backwards begins before `before`, or at the head. */
  readonly after?: Position;
  readonly before?: Position;
  readonly filter?: Filter;
  readonly backwards?: boolean;
  readonly limit: number;
}

export interface FollowOptions {
  /** Exclusive. */
  readonly after: Position;
  readonly filter?: Filter;
  /** At most so many events a page (500). */
  readonly max?: number;
  /** How long a page may wait for more events once it has one; as suits the store, unless told. */
  readonly lingerMs?: number;
}

/** The log: the only truth. */
export abstract class EventStore {
  /**
   * All events or none, durable before it resolves. The identical append (same ids, same revision) repeated answers the first's outcome.
   * An empty list writes nothing and is an error of the caller's.
   * @throws Conflict, StreamDeleted, StoreUnavailable
   */
  abstract append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended>;

  /** A stream that does not exist reads as empty. Never stale: what was acknowledged before the call is in it. @throws StreamDeleted */
  abstract readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<Recorded>;

  abstract readAll(options: ReadAllOptions): Promise<Page>;

  /** Everything behind `after`, in log order, and then everything to come, until the signal aborts. Survives the store's absence. */
  abstract follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page>;

  /** Position of the last event that is not the store's own; `''` for an empty log. */
  abstract head(): Promise<Position>;

  /**
   * A position that the log has acknowledged after the call began: whatever any process was told is recorded lies at or before it, or never
   * will be. What rests on memory, and appends nothing, is checked against a read that reaches it. Not for checkpoints: it may be the
   * position of an event of the store's own. @throws StoreUnavailable
   */
  abstract confirmed(): Promise<Position>;
}
