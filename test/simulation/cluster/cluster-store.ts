import {
  EventStore,
  type Appended,
  type Expected,
  type FollowOptions,
  type Page,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../../../src/kernel/event-store.js';
import type { NewEvent, Recorded } from '../../../src/kernel/event.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { Barrier } from '../../../src/stores/eventstoredb/barrier.js';
import { later, START, type Position } from '../../../src/kernel/position.js';
import { all } from '../../contracts/events.js';
import { NodeBehind, type AtLeast } from './node-store.js';

const TRIES = 3;

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
    this.barrier = new Barrier(() => node.confirmed(), clock);
  }

  async append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    const append = () => this.node.append(stream, expected, events);
    const appended = await this.barrier.serve(append, ({ position }) => position);
    this.seen = later(this.seen, appended.position);
    return appended;
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<Recorded> {
    const confirmed = await this.confirmed();
    yield* await this.from(confirmed, (atLeast) => all(this.node.readStream(stream, { ...options, ...atLeast })));
  }

  readAll(options: ReadAllOptions): Promise<Page> {
    return this.from(this.seen, (atLeast) => this.node.readAll({ ...options, ...atLeast }));
  }

  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    const after = { ...options, atLeast: later(this.seen, options.after) };
    for await (const page of this.node.follow(after, signal)) {
      this.seen = later(this.seen, page.next);
      yield page;
    }
  }

  async head(): Promise<Position> {
    const confirmed = await this.confirmed();
    return this.from(confirmed, (atLeast) => (this.node.head as (options: AtLeast) => Promise<Position>)(atLeast));
  }

  async confirmed(): Promise<Position> {
    const position = await this.barrier.confirmed();
    this.seen = later(this.seen, position);
    return position;
  }

  /** Retries a read on the leader when the node lags. */
  private async from<T>(position: Position, read: (atLeast: AtLeast) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await read({ atLeast: position });
      } catch (error) {
        if (!(error instanceof NodeBehind) || tries === TRIES) throw error;
      }
    }
  }
}
