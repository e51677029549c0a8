import {
  BACKWARDS,
  END,
  ErrorType,
  FORWARDS,
  NO_STREAM,
  START as FIRST,
  WrongExpectedVersionError,
  type AppendResult,
  type Direction,
  type ExpectedRevision,
  type JSONEventData,
  type ReadRevision,
} from '@eventstore/db-client';
import { backoff } from '../../kernel/backoff.js';
import type { Clock, Random } from '../../kernel/clock.js';
import type { NewEvent, Recorded } from '../../kernel/event.js';
import {
  Conflict,
  EventStore,
  StreamDeleted,
  type Appended,
  type Expected,
  type FollowOptions,
  type Page,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import { AppendTooLarge, bytesOf, MAX_APPEND_BYTES } from './append-size.js';
import type { Connection } from './connection.js';
import { isTheStores, placeOf, proposed, recorded, type RawEvent } from './events.js';
import { isAnswer, isRefusal, typeOf, unavailable } from './failures.js';
import { pagesOf } from './following.js';
import { headOf, pageOf, READING_ALL } from './log.js';
import { isKnown, positionOf } from './positions.js';

const PAGE = 500;

export class EventStoreDbEventStore extends EventStore {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly lingerMs: number,
  ) {
    super();
  }

  async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    if (events.length === 0) throw new Error(`${stream}: an append needs at least one event`);
    const given = events.map(proposed);
    const bytes = bytesOf(given);
    if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, events.length, bytes);
    try {
      return await this.appended(stream, await this.write(stream, expected, given));
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) throw new Conflict(stream, expected, revisionIn(error));
      if (typeOf(error) === ErrorType.STREAM_DELETED) throw new StreamDeleted(stream);
      if (typeOf(error) === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) throw new AppendTooLarge(stream, events.length, bytes);
      throw error;
    }
  }

  async *readStream(stream: string, { from, backwards = false, limit = Infinity }: ReadStreamOptions = {}): AsyncIterable<Recorded> {
    let next: ReadRevision = from === undefined ? (backwards ? END : FIRST) : BigInt(from);
    for (let left = limit; left > 0;) {
      const size = Math.min(left, PAGE);
      const events = await this.revisions(stream, next, backwards, size);
      for (const event of events) if (!isTheStores(event)) yield recorded(event);
      const last = events.at(-1)?.revision;
      if (last === undefined || events.length < size || (backwards && last === 0n)) return;
      next = last + (backwards ? -1n : 1n);
      left -= events.length;
    }
  }

  readAll(options: ReadAllOptions): Promise<Page> {
    return pageOf(this.connection, options);
  }

  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    let failures = 0;
    for (let after = options.after; !signal.aborted && this.connection.open;) {
      try {
        for await (const page of pagesOf(this.connection, this.clock, { lingerMs: this.lingerMs, ...options, after }, signal)) {
          [after, failures] = [page.next, 0];
          yield page;
        }
      } catch (error) {
        if (isAnswer(error)) throw error;
        if (isRefusal(error)) throw unavailable(error, false, READING_ALL);
        await this.clock.sleep(backoff(++failures, this.random), signal);
      }
    }
  }

  head(): Promise<Position> {
    return headOf(this.connection);
  }

  confirmed(): Promise<Position> {
    return this.head();
  }

  private write(stream: string, expected: Expected, events: JSONEventData[]): Promise<AppendResult> {
    const expectedRevision: ExpectedRevision = expected === 'none' ? NO_STREAM : BigInt(expected);
    const options = { ...this.connection.call, expectedRevision, requiresLeader: true };
    return this.connection.write((client) => client.appendToStream(stream, events, options), `write to ${stream}`);
  }

  private async appended(stream: string, { nextExpectedRevision, position }: AppendResult): Promise<Appended> {
    const revision = Number(nextExpectedRevision);
    if (isKnown(position)) return { revision, position: positionOf(position) };
    // A server does not always know it for what it has had before.
    const [last] = await this.revisions(stream, nextExpectedRevision, false, 1);
    return { revision, position: placeOf(last!) };
  }

  /** As the leader has them: a node that follows it may lag behind what has been acknowledged. */
  private async revisions(stream: string, fromRevision: ReadRevision, backwards: boolean, maxCount: number): Promise<RawEvent[]> {
    const direction: Direction = backwards ? BACKWARDS : FORWARDS;
    const options = { ...this.connection.call, fromRevision, direction, maxCount, requiresLeader: true };
    try {
      const read = await this.connection.read((client) => client.readStream(stream, options), `read ${stream}`);
      return read.flatMap(({ event }): RawEvent[] => (event === undefined ? [] : [event]));
    } catch (error) {
      if (typeOf(error) === ErrorType.STREAM_NOT_FOUND) return [];
      if (typeOf(error) === ErrorType.STREAM_DELETED) throw new StreamDeleted(stream);
      throw error;
    }
  }
}

function revisionIn({ actualVersion }: WrongExpectedVersionError): Expected {
  return typeof actualVersion === 'bigint' ? Number(actualVersion) : 'none';
}
