import type { Clock } from '../../../src/kernel/clock.js';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event.js';
import {
  type AppendResult,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../../../src/kernel/event-store.js';
import { pickLater, type Position, START } from '../../../src/kernel/position.js';
import { Barrier } from '../../../src/stores/eventstoredb/barrier.js';
import { collect } from '../../contracts/events.js';
import { type AtLeast, LaggingNodeError } from './node-store.js';

const MAX_TRIES = 3;

/**
 * The event store on a cluster, by the rules of the EventStoreDB adapter: a read uses a node that has all events
 * acknowledged before the read, and at least the events that this process has seen.
 */
export class ClusterStore extends EventStore {
  /** The highest position that this process has seen. */
  private seen = START;
  private readonly barrier: Barrier;

  /** @param node the node that this process is connected to */
  constructor(
    private readonly node: EventStore,
    clock: Clock,
  ) {
    super();
    this.barrier = new Barrier(() => node.confirmPosition(), clock);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    const append = () => this.node.append(stream, expected, events);
    const appended = await this.barrier.shareAppend(append, ({ position }) => position);
    this.seen = pickLater(this.seen, appended.position);
    return appended;
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    const confirmed = await this.confirmPosition();
    yield* await this.from(confirmed, (atLeast) => collect(this.node.readStream(stream, { ...options, ...atLeast })));
  }

  readAll(options: ReadAllOptions): Promise<EventPage> {
    return this.from(this.seen, (atLeast) => this.node.readAll({ ...options, ...atLeast }));
  }

  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    const after = { ...options, atLeast: pickLater(this.seen, options.after) };
    for await (const page of this.node.follow(after, signal)) {
      this.seen = pickLater(this.seen, page.next);
      yield page;
    }
  }

  async readHead(): Promise<Position> {
    const confirmed = await this.confirmPosition();
    return this.from(confirmed, (atLeast) => (this.node.readHead as (options: AtLeast) => Promise<Position>)(atLeast));
  }

  async confirmPosition(): Promise<Position> {
    const position = await this.barrier.confirm();
    this.seen = pickLater(this.seen, position);
    return position;
  }

  /** Retries a read on the leader when the node lags. */
  private async from<T>(position: Position, read: (atLeast: AtLeast) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await read({ atLeast: position });
      } catch (error) {
        if (!(error instanceof LaggingNodeError) || tries === MAX_TRIES) throw error;
      }
    }
  }
}
