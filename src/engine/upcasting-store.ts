import type { NewEvent, Recorded } from '../kernel/event.js';
import {
  EventStore,
  type Appended,
  type Expected,
  type FollowOptions,
  type Page,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../kernel/event-store.js';
import type { Position } from '../kernel/position.js';
import { upcast, type Upcasters } from '../kernel/upcasting.js';

/** A store whose events are read in their newest shape. */
class UpcastingStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly upcasters: Upcasters,
  ) {
    super();
  }

  append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    return this.store.append(stream, expected, events);
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<Recorded> {
    for await (const event of this.store.readStream(stream, options)) yield upcast(event, this.upcasters);
  }

  async readAll(options: ReadAllOptions): Promise<Page> {
    return this.upToDate(await this.store.readAll(options));
  }

  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    for await (const page of this.store.follow(options, signal)) yield this.upToDate(page);
  }

  head(): Promise<Position> {
    return this.store.head();
  }

  confirmed(): Promise<Position> {
    return this.store.confirmed();
  }

  private upToDate(page: Page): Page {
    return { ...page, events: page.events.map((event) => this.upcastOrSpoiled(event)) };
  }

  /** In a page one event that cannot be upcast must not stop the others: it throws when its data are looked at. */
  private upcastOrSpoiled(event: Recorded): Recorded {
    try {
      return upcast(event, this.upcasters);
    } catch (error) {
      return Object.defineProperty({ ...event }, 'data', {
        get: () => {
          throw error;
        },
      });
    }
  }
}

export function upcasting(store: EventStore, upcasters: Upcasters = {}): EventStore {
  return new UpcastingStore(store, upcasters);
}
