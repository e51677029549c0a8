import type { NewEvent, RecordedEvent } from '../../../src/kernel/event.js';
import {
  type AppendResult,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
  StoreUnavailable,
} from '../../../src/kernel/event-store.js';
import { pickEarlier, type Position, START } from '../../../src/kernel/position.js';
import type { MemoryEventStore } from '../../support/memory/event-store.js';
import type { Leadership } from './leadership.js';

/** Thrown when the node's log does not reach the requested position. */
export class LaggingNodeError extends StoreUnavailable {}

/** Options of a read that requires a log up to this position. */
export interface AtLeast {
  readonly atLeast?: Position;
}

/** The node that one process is connected to: the leader, or a deposed leader that still answers reads. */
export class NodeStore extends EventStore {
  constructor(
    private readonly process: string,
    private readonly log: MemoryEventStore,
    private readonly leadership: Leadership,
  ) {
    super();
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    await this.throwIfDeposed();
    return this.leadership.append(stream, expected, events);
  }

  async *readStream(stream: string, options: ReadStreamOptions & AtLeast = {}): AsyncIterable<RecordedEvent> {
    const end = this.requireEnd(options);
    if (end === null) return yield* this.log.readStream(stream, options);
    const { from, backwards = false, limit = Infinity } = options;
    const all = this.log.log.filter((event) => event.stream === stream && event.position <= end);
    const ordered = backwards ? all.slice(0, (from ?? all.length - 1) + 1).reverse() : all.slice(from ?? 0);
    yield* structuredClone(ordered.slice(0, limit));
  }

  async readAll(options: ReadAllOptions & AtLeast): Promise<EventPage> {
    const end = this.requireEnd(options);
    if (end === null) return this.log.readAll(options);
    const afterEnd = String(Number(end) + 1).padStart(16, '0');
    return this.log.readAll({ ...options, before: pickEarlier(options.before ?? afterEnd, afterEnd) });
  }

  async *follow(options: FollowOptions & AtLeast, signal: AbortSignal): AsyncIterable<EventPage> {
    this.requireEnd(options);
    for await (const page of this.log.follow(options, signal)) {
      const end = this.leadership.findEndFor(this.process);
      if (end !== null && page.next > end) {
        await this.leadership.waitForDrop(this.process);
        throw new StoreUnavailable('the connection was dropped', false);
      }
      yield page;
    }
  }

  async readHead(options: AtLeast = {}): Promise<Position> {
    return this.requireEnd(options) ?? this.log.readHead();
  }

  async confirmPosition(): Promise<Position> {
    await this.throwIfDeposed();
    return this.leadership.getAcknowledged();
  }

  /** Returns the end of the node's log; null on the leader. */
  private requireEnd({ atLeast = START }: AtLeast): Position | null {
    const end = this.leadership.findEndFor(this.process);
    if (end === null || end >= atLeast) return end;
    this.leadership.connectToLeader(this.process);
    throw new LaggingNodeError(`the node's log ends at ${end}, before ${atLeast}`, false);
  }

  /** Throws on a deposed leader: at once or, if it waits for its majority, when the connection is closed. */
  private async throwIfDeposed(): Promise<void> {
    if (this.leadership.findEndFor(this.process) === null) return;
    const isTaken = this.leadership.losesAppendsOf(this.process);
    if (isTaken) await this.leadership.waitForDrop(this.process);
    else this.leadership.connectToLeader(this.process);
    throw new StoreUnavailable(isTaken ? 'commit phase timeout' : 'not the leader', true);
  }
}
