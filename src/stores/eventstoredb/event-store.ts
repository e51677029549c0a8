import { BACKWARDS, END, ErrorType, FORWARDS, START as FIRST, type Direction, type ReadRevision } from '@eventstore/db-client';
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
import type { AppendAnswer } from './appending.js';
import { Confirmations } from './confirmations.js';
import type { Connection } from './connection.js';
import { isTheStores, placeOf, proposed, recorded, type Proposed, type RawEvent } from './events.js';
import { isAnswer, isRefusal, typeOf, unavailable } from './failures.js';
import { pagesOf } from './following.js';
import { endOf, Head, pageOf, READING_ALL } from './log.js';
import { positionOf } from './positions.js';

/** One process never has more uncertain appends than this at the same time. */
const UNSURE_AT_MOST = 10_000;

type Written = Exclude<AppendAnswer, { readonly actual: unknown }>;

const PAGE = 500;

export class EventStoreDbEventStore extends EventStore {
  private readonly confirmations: Confirmations;
  private readonly end: Head;
  /**
   * First ids of appends that may have been written: a node responds to their repetition from its own log, without a
   * majority.
   */
  private readonly unsure = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly lingerMs: number,
  ) {
    super();
    this.confirmations = new Confirmations(connection, clock);
    this.end = new Head(connection);
  }

  async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    if (events.length === 0) throw new Error(`${stream}: an append needs at least one event`);
    const given = events.map(proposed);
    const bytes = bytesOf(given);
    if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, events.length, bytes);
    try {
      const answer = await this.written(stream, expected, given);
      if ('actual' in answer) throw new Conflict(stream, expected, answer.actual);
      return await this.appended(stream, answer);
    } catch (error) {
      if (typeOf(error) === ErrorType.STREAM_DELETED) throw new StreamDeleted(stream);
      if (typeOf(error) === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) throw new AppendTooLarge(stream, events.length, bytes);
      throw error;
    }
  }

  async *readStream(stream: string, { from, backwards = false, limit = Infinity }: ReadStreamOptions = {}): AsyncIterable<Recorded> {
    if (this.connection.isCluster) await this.confirmations.confirmed();
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
        for await (const page of this.pagesOf({ ...options, after }, signal)) {
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

  async head(): Promise<Position> {
    if (this.connection.isCluster) await this.confirmations.confirmed();
    return this.end.position();
  }

  /** Reading the end of a single node confirms it. A cluster needs an acknowledgement by the majority. */
  confirmed(): Promise<Position> {
    return this.connection.isCluster ? this.confirmations.confirmed() : endOf(this.connection);
  }

  private async *pagesOf(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    // All events up to a checkpoint were acknowledged, but this process may not have seen their positions.
    if (this.connection.isCluster && !this.connection.hasSeen(options.after)) await this.confirmations.confirmed();
    yield* pagesOf(this.connection, this.clock, { lingerMs: this.lingerMs, ...options }, signal);
  }

  /** Appends events; a first append also confirms a position for waiting callers. */
  private async written(stream: string, expected: Expected, events: readonly Proposed[]): Promise<AppendAnswer> {
    const { id } = events[0]!;
    const isFirst = !this.unsure.has(id);
    this.remember(id);
    const append = () => this.connection.append(stream, expected, events, `write to ${stream}`);
    const answer = await (isFirst ? this.confirmations.serve(append) : append());
    // A conflict does not show the outcome of an earlier call.
    if (isFirst || !('actual' in answer)) this.unsure.delete(id);
    return answer;
  }

  private remember(id: string): void {
    this.unsure.add(id);
    if (this.unsure.size > UNSURE_AT_MOST) this.unsure.delete(this.unsure.values().next().value!);
  }

  private async appended(stream: string, { revision, position }: Written): Promise<Appended> {
    if (position !== null) return { revision, position: positionOf(position) };
    // A server does not always know the position of a repeated append.
    const [last] = await this.revisions(stream, BigInt(revision), false, 1);
    return { revision, position: placeOf(last!) };
  }

  /** Reads from the leader: a follower node may lack acknowledged events. */
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
