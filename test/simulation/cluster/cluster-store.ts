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
 * The port on a cluster, by the same rules as the adapter of EventStoreDB: what is read is read from a node that has shown what was
 * acknowledged after the question was asked, and at least as much as this process has seen.
 */
export class ClusterStore extends EventStore {
  /** The highest position that this process has met. */
  private seen = START;
  private readonly barrier: Barrier;

  /** @param node the port of the node that this process is connected to, over its line */
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

  /** A node that is behind is left for the leader. */
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
