import type { RecordedEvent } from '../../kernel/event.js';
import { decodeEvent, type EventRow } from './event-row.js';
import { toRowNumber } from './positions.js';

const MAX_EVENTS = 4_096;
const MAX_CHARACTERS = 8_000;

/** Caches recently appended or read events. Recorded events never change, so each is decoded once for all readers. */
export class EventCache {
  private readonly rows = new Float64Array(MAX_EVENTS);
  private readonly events: RecordedEvent[] = [];

  get(row: number): RecordedEvent | undefined {
    const index = row % MAX_EVENTS;
    return this.rows[index] === row ? this.events[index] : undefined;
  }

  /** Returns the events of the range up to the first one that is not cached. */
  getRange(first: number, last: number): RecordedEvent[] {
    const events: RecordedEvent[] = [];
    for (let row = first; row <= last; row++) {
      const event = this.get(row);
      if (event === undefined) break;
      events.push(event);
    }
    return events;
  }

  /** Returns whether all events of the range are cached, and none of them belongs to the stream. */
  areOfOtherStreams(stream: string, first: number, last: number): boolean {
    for (let row = first; row <= last; row++) {
      const event = this.get(row);
      if (event === undefined || event.stream === stream) return false;
    }
    return true;
  }

  decode(row: EventRow): RecordedEvent {
    const cached = this.get(row.position);
    if (cached !== undefined) return cached;
    const event = decodeEvent(row);
    this.add(event, row.data.length);
    return event;
  }

  /** @param characters length of the event's data */
  add(event: RecordedEvent, characters: number): void {
    if (characters > MAX_CHARACTERS) return;
    const row = toRowNumber(event.position);
    const index = row % MAX_EVENTS;
    this.rows[index] = row;
    this.events[index] = event;
  }
}
