import {
  BACKWARDS,
  type Direction,
  END,
  ErrorType,
  FORWARDS,
  type ReadRevision,
  START as FIRST,
} from '@eventstore/db-client';
import { drawBackoff } from '../../kernel/backoff.js';
import type { Clock, Random } from '../../kernel/clock.js';
import type { NewEvent, RecordedEvent } from '../../kernel/event.js';
import {
  type AppendResult,
  Conflict,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
  StreamDeleted,
} from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { AppendResponse } from './append-messages.js';
import { AppendTooLarge, countBytes, MAX_APPEND_BYTES } from './append-size.js';
import { Confirmations } from './confirmations.js';
import type { Connection } from './connection.js';
import {
  decodeEvent,
  isSystemEvent,
  type ProposedEvent,
  type RawEvent,
  toEventPosition,
  toProposed,
} from './events.js';
import { errorTypeOf, isPermanent, needsOperator, toUnavailable } from './failures.js';
import { HeadReader, READ_ALL_PERMISSION, readEnd, readPage } from './log.js';
import { toPosition } from './positions.js';
import { readPages } from './subscription.js';

/** One process never has more uncertain appends than this at the same time. */
const MAX_UNCERTAIN = 10_000;

type Written = Exclude<AppendResponse, { readonly actual: unknown }>;

const PAGE_SIZE = 500;

export class EventStoreDbEventStore extends EventStore {
  private readonly confirmations: Confirmations;
  private readonly headReader: HeadReader;
  /**
   * First ids of appends that may have been written: a node responds to their repetition from its own log, without a
   * majority.
   */
  private readonly uncertain = new Set<string>();

  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly lingerMs: number,
  ) {
    super();
    this.confirmations = new Confirmations(connection, clock);
    this.headReader = new HeadReader(connection);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    if (events.length === 0) throw new Error(`${stream}: an append needs at least one event`);
    const given = events.map(toProposed);
    const bytes = countBytes(given);
    if (bytes > MAX_APPEND_BYTES) throw new AppendTooLarge(stream, events.length, bytes);
    try {
      const answer = await this.write(stream, expected, given);
      if ('actual' in answer) throw new Conflict(stream, expected, answer.actual);
      return await this.toAppendResult(stream, answer);
    } catch (error) {
      if (errorTypeOf(error) === ErrorType.STREAM_DELETED) throw new StreamDeleted(stream);
      if (errorTypeOf(error) === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED)
        throw new AppendTooLarge(stream, events.length, bytes);
      throw error;
    }
  }

  async *readStream(
    stream: string,
    { from, backwards = false, limit = Infinity }: ReadStreamOptions = {},
  ): AsyncIterable<RecordedEvent> {
    if (this.connection.isCluster) await this.confirmations.confirm();
    let next: ReadRevision = from === undefined ? (backwards ? END : FIRST) : BigInt(from);
    for (let left = limit; left > 0;) {
      const size = Math.min(left, PAGE_SIZE);
      const events = await this.readRevisions(stream, next, backwards, size);
      for (const event of events) if (!isSystemEvent(event)) yield decodeEvent(event);
      const last = events.at(-1)?.revision;
      if (last === undefined || events.length < size || (backwards && last === 0n)) return;
      next = last + (backwards ? -1n : 1n);
      left -= events.length;
    }
  }

  readAll(options: ReadAllOptions): Promise<EventPage> {
    return readPage(this.connection, options);
  }

  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    let failures = 0;
    for (let after = options.after; !signal.aborted && this.connection.open;) {
      try {
        for await (const page of this.readPages({ ...options, after }, signal)) {
          [after, failures] = [page.next, 0];
          yield page;
        }
      } catch (error) {
        if (isPermanent(error)) throw error;
        if (needsOperator(error)) throw toUnavailable(error, false, READ_ALL_PERMISSION);
        await this.clock.sleep(drawBackoff(++failures, this.random), signal);
      }
    }
  }

  async readHead(): Promise<Position> {
    if (this.connection.isCluster) await this.confirmations.confirm();
    return this.headReader.read();
  }

  /** Reading the end of a single node confirms it. A cluster needs an acknowledgement by the majority. */
  confirmPosition(): Promise<Position> {
    return this.connection.isCluster ? this.confirmations.confirm() : readEnd(this.connection);
  }

  private async *readPages(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    // All events up to a checkpoint were acknowledged, but this process may not have seen their positions.
    if (this.connection.isCluster && !this.connection.hasSeen(options.after)) await this.confirmations.confirm();
    yield* readPages(this.connection, this.clock, { lingerMs: this.lingerMs, ...options }, signal);
  }

  /** Appends events; a first append also confirms a position for waiting callers. */
  private async write(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): Promise<AppendResponse> {
    const { id } = events[0]!;
    const isFirst = !this.uncertain.has(id);
    this.addUncertain(id);
    const append = () => this.connection.append(stream, expected, events, `write to ${stream}`);
    const answer = await (isFirst ? this.confirmations.shareAppend(append) : append());
    // A conflict does not show the outcome of an earlier call.
    if (isFirst || !('actual' in answer)) this.uncertain.delete(id);
    return answer;
  }

  private addUncertain(id: string): void {
    this.uncertain.add(id);
    if (this.uncertain.size > MAX_UNCERTAIN) this.uncertain.delete(this.uncertain.values().next().value!);
  }

  private async toAppendResult(stream: string, { revision, position }: Written): Promise<AppendResult> {
    if (position !== null) return { revision, position: toPosition(position) };
    // A server does not always know the position of a repeated append.
    const [last] = await this.readRevisions(stream, BigInt(revision), false, 1);
    return { revision, position: toEventPosition(last!) };
  }

  /** Reads from the leader: a follower node may lack acknowledged events. */
  private async readRevisions(
    stream: string,
    fromRevision: ReadRevision,
    backwards: boolean,
    maxCount: number,
  ): Promise<RawEvent[]> {
    const direction: Direction = backwards ? BACKWARDS : FORWARDS;
    const options = { ...this.connection.callOptions, fromRevision, direction, maxCount, requiresLeader: true };
    try {
      const read = await this.connection.read((client) => client.readStream(stream, options), `read ${stream}`);
      return read.flatMap(({ event }): RawEvent[] => (event === undefined ? [] : [event]));
    } catch (error) {
      if (errorTypeOf(error) === ErrorType.STREAM_NOT_FOUND) return [];
      if (errorTypeOf(error) === ErrorType.STREAM_DELETED) throw new StreamDeleted(stream);
      throw error;
    }
  }
}
