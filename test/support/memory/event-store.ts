import { AsyncSignal } from '../../../src/engine/async-signal.js';
import type { Clock } from '../../../src/kernel/clock.js';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event.js';
import {
  type AppendResult,
  Conflict,
  type EventPage,
  EventStore,
  type ExpectedRevision,
  type FollowOptions,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StreamFilter,
} from '../../../src/kernel/event-store.js';
import { pickLater, type Position, START } from '../../../src/kernel/position.js';

const DEFAULT_PAGE = 500;

/** A log in an array. Callers never share objects with it. */
export class MemoryEventStore extends EventStore {
  readonly log: RecordedEvent[] = [];
  private readonly streams = new Map<string, RecordedEvent[]>();
  private readonly ids = new Set<string>();
  private readonly followers = new Set<AsyncSignal>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendResult> {
    if (events.length === 0) throw new Error('an append needs an event');
    const recorded = this.streams.get(stream) ?? [];
    const first = expected === 'none' ? 0 : expected + 1;
    const before = recorded.slice(first, first + events.length);
    if (before.length === events.length && before.every(({ id }, i) => id === events[i]!.id))
      return toAppended(before.at(-1)!);
    if (recorded.length !== first)
      throw new Conflict(stream, expected, recorded.length === 0 ? 'none' : recorded.length - 1);

    if (events.some(({ id }) => this.ids.has(id))) throw new Error('an event id is used twice');
    return this.record(stream, recorded, events);
  }

  async *readStream(
    stream: string,
    { from, backwards = false, limit = Infinity }: ReadStreamOptions = {},
  ): AsyncIterable<RecordedEvent> {
    const all = this.streams.get(stream) ?? [];
    const ordered = backwards ? all.slice(0, (from ?? all.length - 1) + 1).reverse() : all.slice(from ?? 0);
    for (const event of ordered.slice(0, limit)) yield structuredClone(event);
  }

  async readAll({ after = START, before, filter, backwards = false, limit }: ReadAllOptions): Promise<EventPage> {
    const range = this.log.filter(({ position }) => position > after && (before === undefined || position < before));
    const ordered = backwards ? range.reverse() : range;
    const matching = ordered.filter(toPredicate(filter));
    const events = matching.slice(0, limit);
    const caughtUp = matching.length <= limit;
    const end = caughtUp ? ordered.at(-1) : events.at(-1);
    return {
      events: structuredClone(events),
      next: end?.position ?? (backwards ? (before ?? START) : after),
      caughtUp,
    };
  }

  async *follow(
    { after, filter, pageSize = DEFAULT_PAGE, lingerMs = 0 }: FollowOptions,
    signal: AbortSignal,
  ): AsyncIterable<EventPage> {
    const appended = new AsyncSignal(this.clock);
    const wake = () => appended.notify();
    this.followers.add(appended);
    signal.addEventListener('abort', wake, { once: true });
    try {
      for (let from = after; !signal.aborted;) {
        if (lingerMs > 0 && this.getHead() > from) await this.clock.sleep(lingerMs, signal);
        const page = await this.readAll({ after: from, filter, limit: pageSize });
        if (page.next > from) {
          from = page.next;
          yield page;
        } else await appended.wait();
      }
    } finally {
      signal.removeEventListener('abort', wake);
      this.followers.delete(appended);
    }
  }

  async readHead(): Promise<Position> {
    return this.getHead();
  }

  async confirmPosition(): Promise<Position> {
    return this.getHead();
  }

  private getHead(): Position {
    return pickLater(START, this.log.at(-1)?.position ?? START);
  }

  private record(stream: string, recorded: RecordedEvent[], events: readonly NewEvent[]): AppendResult {
    for (const event of events) {
      const position = String(this.log.length + 1).padStart(16, '0');
      const entry = structuredClone({ ...event, stream, revision: recorded.length, position });
      recorded.push(entry);
      this.log.push(entry);
      this.ids.add(event.id);
    }
    this.streams.set(stream, recorded);
    for (const follower of this.followers) follower.notify();
    return toAppended(recorded.at(-1)!);
  }
}

function toAppended({ revision, position }: RecordedEvent): AppendResult {
  return { revision, position };
}

function toPredicate(filter: StreamFilter | undefined): (event: RecordedEvent) => boolean {
  return ({ stream }) => filter === undefined || filter.prefixes.some((prefix) => stream.startsWith(prefix));
}
