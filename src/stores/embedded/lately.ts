import type { Recorded } from '../../kernel/event.js';
import { recorded, type EventRow } from './log.js';
import { rowOf } from './positions.js';

const KEPT_EVENTS = 4_096;
const KEPT_CHARACTERS = 8_000;

/** Caches recently appended or read events. Recorded events never change, so each is decoded once for all readers. */
export class Lately {
  private readonly rows = new Float64Array(KEPT_EVENTS);
  private readonly events: Recorded[] = [];

  /** Returns all events of the range, or null when one is not cached. */
  between(first: number, last: number): Recorded[] | null {
    const events: Recorded[] = [];
    for (let row = first; row <= last; row++) {
      const event = this.at(row);
      if (event === undefined) return null;
      events.push(event);
    }
    return events;
  }

  of(row: EventRow): Recorded {
    const known = this.at(row.position);
    if (known !== undefined) return known;
    const event = recorded(row);
    this.keep(event, row.data.length);
    return event;
  }

  /** @param characters length of the event's data */
  keep(event: Recorded, characters: number): void {
    if (characters > KEPT_CHARACTERS) return;
    const row = rowOf(event.position);
    const place = row % KEPT_EVENTS;
    this.rows[place] = row;
    this.events[place] = event;
  }

  private at(row: number): Recorded | undefined {
    const place = row % KEPT_EVENTS;
    return this.rows[place] === row ? this.events[place] : undefined;
  }
}
