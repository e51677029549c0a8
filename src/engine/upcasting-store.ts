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
import { NewerEvent, refuseNewer, upcast, type Upcasters, type Versions } from '../kernel/upcasting.js';

/**
 * An event store that upcasts each event it reads to the newest version. It never returns an event of newer code; the
 * events before such an event in a page are returned.
 */
class UpcastingStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly upcasters: Upcasters,
    private readonly versions: Versions | null,
  ) {
    super();
  }

  append(stream: string, expected: Expected, events: readonly NewEvent[]): Promise<Appended> {
    return this.store.append(stream, expected, events);
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<Recorded> {
    for await (const event of this.store.readStream(stream, options)) yield this.known(upcast(event, this.upcasters));
  }

  /** @throws NewerEvent when the first event is recorded by newer code */
  async readAll(options: ReadAllOptions): Promise<Page> {
    return this.upToDate(await this.store.readAll(options));
  }

  /** @throws NewerEvent when the next event is recorded by newer code */
  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<Page> {
    for await (const page of this.store.follow(options, signal)) {
      const known = this.upToDate(page);
      yield known;
      if (known.next !== page.next) this.known(page.events[known.events.length]!);
    }
  }

  head(): Promise<Position> {
    return this.store.head();
  }

  confirmed(): Promise<Position> {
    return this.store.confirmed();
  }

  private upToDate(page: Page): Page {
    const events = page.events.map((event) => this.upcastOrSpoiled(event));
    const newer = events.findIndex((event) => this.isNewer(event));
    if (newer === -1) return { ...page, events };
    if (newer === 0) this.known(events[0]!);
    return { ...page, events: events.slice(0, newer), next: events[newer - 1]!.position, caughtUp: false };
  }

  /** @throws NewerEvent */
  private known(event: Recorded): Recorded {
    if (this.versions !== null) refuseNewer(event, this.versions);
    return event;
  }

  private isNewer(event: Recorded): boolean {
    try {
      this.known(event);
      return false;
    } catch (error) {
      if (error instanceof NewerEvent) return true;
      throw error;
    }
  }

  /** An event that cannot be upcast throws when its data are read, so that it does not block the rest of its page. */
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

/** @param versions newest version of each known event type; null accepts every event */
export function upcasting(store: EventStore, upcasters: Upcasters = {}, versions: Versions | null = null): EventStore {
  return new UpcastingStore(store, upcasters, versions);
}
