import type { NewEvent, RecordedEvent } from './event.js';
import type { Position } from './position.js';

/** The stream has another revision than expected; nothing was written. */
export class Conflict extends Error {
  constructor(
    readonly stream: string,
    readonly expected: ExpectedRevision,
    readonly actual: ExpectedRevision,
  ) {
    super(`${stream}: expected revision ${expected}, found ${actual}`);
    this.name = 'Conflict';
  }
}

/**
 * The store cannot be reached, or did not report the outcome of a write. `maybeWritten`: the caller may repeat the
 * identical write at the same revision; the store then returns the outcome of the first write.
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

/** An operator has deleted the stream permanently: its events are lost, and it accepts no new ones. */
export class StreamDeleted extends Error {
  constructor(stream: string) {
    super(`${stream}: the stream was deleted permanently`);
    this.name = 'StreamDeleted';
  }
}

/** `'none'`: the stream does not exist yet; a number: its last revision. */
export type ExpectedRevision = 'none' | number;

export interface AppendResult {
  /** Revision and position of the last event of the append. */
  readonly revision: number;
  readonly position: Position;
  /** The position of every event of an append of several, if the store reports them. */
  readonly positions?: readonly Position[];
}

/** Selects the streams whose name begins with one of the prefixes, `subscription-` for a category. */
export interface StreamFilter {
  readonly prefixes: readonly string[];
}

/** A part of the log. Consumers store only `next` as a checkpoint; it may advance on a page without events. */
export interface EventPage {
  readonly events: readonly RecordedEvent[];
  readonly next: Position;
  /** The page reached the end of the log when it was read. */
  readonly caughtUp: boolean;
  /** The number of skipped events that another application has written; missing for zero. */
  readonly foreign?: number;
}

export interface ReadStreamOptions {
  /** First revision to read. Default: 0 forwards, the last revision backwards. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive. A forward read begins after `after`; a backward read begins before `before`, or at the head. */
  readonly after?: Position;
  readonly before?: Position;
  readonly filter?: StreamFilter;
  readonly backwards?: boolean;
  readonly limit: number;
}

export interface FollowOptions {
  /** Exclusive. */
  readonly after: Position;
  readonly filter?: StreamFilter;
  /** The largest number of events per page (500). */
  readonly pageSize?: number;
  /** How long a page may wait for more events once it has one. Default: a value of the store. */
  readonly lingerMs?: number;
}

/** The event log: the only source of truth. */
export abstract class EventStore {
  /**
   * Appends all events or none; they are durable before it resolves. Repeating the identical append (same ids, same
   * revision) returns the outcome of the first one. An empty list is an error of the caller.
   * @throws Conflict, StreamDeleted, StoreUnavailable
   */
  abstract append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult>;

  /**
   * Reads a stream; a missing stream is empty. Includes every event acknowledged before the call. @throws
   * StreamDeleted
   */
  abstract readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent>;

  /**
   * Returns whether the stream certainly has no event after this revision now, without a read of the stream; false when
   * the store cannot tell. The caller has read or written the revision, or asks for -1.
   */
  isLastRevision(_stream: string, _revision: number): boolean {
    return false;
  }

  abstract readAll(options: ReadAllOptions): Promise<EventPage>;

  /**
   * Yields all events after `after` in log order, then new events until the signal aborts. Continues after an outage
   * of the store.
   */
  abstract follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage>;

  /** Returns the position of the last event that is not a system event of the store; `''` for an empty log. */
  abstract readHead(): Promise<Position>;

  /**
   * Returns a position that the log has acknowledged after the call began: every event that was acknowledged before
   * the call has this position or an earlier one. A result that uses cached state and appends nothing must be checked
   * against a read up to this position. Not for checkpoints: it may be the position of a system event of the store.
   * @throws StoreUnavailable
   */
  abstract confirmPosition(): Promise<Position>;
}
