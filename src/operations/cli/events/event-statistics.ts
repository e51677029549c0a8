import { extractCategory } from '../../../kernel/decider.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { readMeta } from '../../../kernel/unreadable-event.js';

/** Counts the events of the log by type and category. */
export class EventStatistics {
  events = 0;
  streams = 0;
  /** Number of events of other applications in the same store. */
  foreign = 0;
  first: RecordedEvent | null = null;
  last: RecordedEvent | null = null;
  private readonly types = new Map<string, number>();
  private readonly categories = new Map<string, { streams: number; events: number }>();

  count(event: RecordedEvent): void {
    const begins = event.revision === 0 ? 1 : 0;
    this.events++;
    this.streams += begins;
    this.first ??= event;
    this.last = event;
    this.types.set(event.type, (this.types.get(event.type) ?? 0) + 1);

    const category = extractCategory(event.stream);
    const { streams, events } = this.categories.get(category) ?? { streams: 0, events: 0 };
    this.categories.set(category, { streams: streams + begins, events: events + 1 });
  }

  get document() {
    const { events, streams, foreign } = this;
    const [first_recorded_at, last_recorded_at] = [timeOf(this.first), timeOf(this.last)];
    const categories = [...this.categories]
      .map(([category, counted]) => ({ category, ...counted }))
      .sort(compareByEvents);
    const types = [...this.types].map(([type, events]) => ({ type, events })).sort(compareByEvents);
    return {
      events,
      streams,
      foreign,
      head: this.last?.position ?? null,
      first_recorded_at,
      last_recorded_at,
      categories,
      types,
    };
  }
}

function timeOf(event: RecordedEvent | null): string | null {
  return (event && readMeta(event)?.at) ?? null;
}

function compareByEvents(a: { readonly events: number }, b: { readonly events: number }): number {
  return b.events - a.events;
}
