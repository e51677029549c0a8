import type { RecordedEvent } from '../../kernel/event.js';
import { type EventStore, StoreUnavailable } from '../../kernel/event-store.js';
import type { DeadLetter } from './dead-letters.js';

const READ_AHEAD = 200;
/** Maximum gap between two revisions of one range: events in smaller gaps are read too. */
const GAP = 20;

/** Loads the events of dead letters, requested in the order of the dead letters, in ranges of their streams. */
export class DeadLetterEvents {
  private ahead: ReadonlyMap<string, RecordedEvent> = new Map();

  constructor(
    private readonly deadLetters: readonly DeadLetter[],
    private readonly store: EventStore,
  ) {}

  async get(deadLetter: DeadLetter): Promise<RecordedEvent> {
    const key = eventKeyOf(deadLetter);
    if (!this.ahead.has(key)) this.ahead = await this.readFrom(deadLetter);
    const event = this.ahead.get(key);
    if (event === undefined) throw new Error(`${deadLetter.stream} has no revision ${deadLetter.revision}`);
    return event;
  }

  private async readFrom(deadLetter: DeadLetter): Promise<ReadonlyMap<string, RecordedEvent>> {
    const first = this.deadLetters.indexOf(deadLetter);
    try {
      return await this.read(this.deadLetters.slice(first, first + READ_AHEAD));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // An unreadable event must fail its own dead letter only.
      return this.read([deadLetter]);
    }
  }

  private async read(deadLetters: readonly DeadLetter[]): Promise<ReadonlyMap<string, RecordedEvent>> {
    const events = new Map<string, RecordedEvent>();
    for (const [stream, ofStream] of Map.groupBy(deadLetters, (deadLetter) => deadLetter.stream)) {
      for (const { from, to } of toRanges(ofStream)) {
        const range = this.store.readStream(stream, { from, limit: to - from + 1 });
        for await (const event of range) events.set(eventKeyOf(event), event);
      }
    }
    return events;
  }
}

/** Returns ranges of revisions. */
function toRanges(deadLetters: readonly DeadLetter[]): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { revision } of deadLetters.toSorted((a, b) => a.revision - b.revision)) {
    const last = ranges.at(-1);
    if (last !== undefined && revision - last.to <= GAP) last.to = revision;
    else ranges.push({ from: revision, to: revision });
  }
  return ranges;
}

function eventKeyOf({ stream, revision }: Pick<RecordedEvent, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}
