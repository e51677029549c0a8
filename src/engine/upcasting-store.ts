import type { NewEvent, RecordedEvent } from '../kernel/event.js';
import {
  type AppendResult,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '../kernel/event-store.js';
import type { Position } from '../kernel/position.js';
import { createUnreadable, readMeta } from '../kernel/unreadable-event.js';
import {
  assertKnownVersion,
  keepStoredForm,
  NewerEvent,
  upcast,
  type Upcasters,
  type Versions,
} from '../kernel/upcasting.js';
import type { RunAppend } from './store-metrics.js';

/**
 * An event store that upcasts each event it reads to the newest version. It never returns an event of newer code; the
 * events before such an event in a page are returned.
 */
class UpcastingStore extends EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly upcasters: Upcasters,
    private readonly versions: Versions | null,
    private readonly runAppend: RunAppend,
  ) {
    super();
  }

  append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    return this.runAppend(stream, events, () => this.store.append(stream, expected, events));
  }

  async *readStream(stream: string, options?: ReadStreamOptions): AsyncIterable<RecordedEvent> {
    for await (const event of this.store.readStream(stream, options))
      yield this.requireKnown(upcast(event, this.upcasters));
  }

  override isLastRevision(stream: string, revision: number): boolean {
    return this.store.isLastRevision(stream, revision);
  }

  /** @throws NewerEvent when the first event is recorded by newer code */
  async readAll(options: ReadAllOptions): Promise<EventPage> {
    return this.upcastPage(await this.store.readAll(options));
  }

  /** @throws NewerEvent when the next event is recorded by newer code */
  async *follow(options: FollowOptions, signal: AbortSignal): AsyncIterable<EventPage> {
    for await (const page of this.store.follow(options, signal)) {
      const known = this.upcastPage(page);
      yield known;
      if (known.next !== page.next) this.requireKnown(page.events[known.events.length]!);
    }
  }

  readHead(): Promise<Position> {
    return this.store.readHead();
  }

  confirmPosition(): Promise<Position> {
    return this.store.confirmPosition();
  }

  private upcastPage(page: EventPage): EventPage {
    const events = page.events.map((event) => this.upcastLazily(event));
    const newer = events.findIndex((event) => this.isNewer(event));
    if (newer === -1) return { ...page, events };
    if (newer === 0) this.requireKnown(events[0]!);
    return { ...page, events: events.slice(0, newer), next: events[newer - 1]!.position, caughtUp: false };
  }

  /** @throws NewerEvent */
  private requireKnown(event: RecordedEvent): RecordedEvent {
    if (this.versions !== null) assertKnownVersion(event, this.versions);
    return event;
  }

  private isNewer(event: RecordedEvent): boolean {
    try {
      this.requireKnown(event);
      return false;
    } catch (error) {
      if (error instanceof NewerEvent) return true;
      throw error;
    }
  }

  /** An event that cannot be upcast throws when its content is read, so that it does not block the rest of its page. */
  private upcastLazily(event: RecordedEvent): RecordedEvent {
    try {
      return upcast(event, this.upcasters);
    } catch (error) {
      const unreadable = createUnreadable(event, () => error, readMeta(event) ?? undefined);
      keepStoredForm(unreadable, event);
      return unreadable;
    }
  }
}

/** @param versions newest version of each known event type; null accepts every event */
export function withUpcasting(
  store: EventStore,
  upcasters: Upcasters = {},
  versions: Versions | null = null,
  runAppend: RunAppend = (_stream, _events, append) => append(),
): EventStore {
  return new UpcastingStore(store, upcasters, versions, runAppend);
}
