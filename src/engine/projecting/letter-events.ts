import type { Recorded } from '../../kernel/event.js';
import { StoreUnavailable, type EventStore } from '../../kernel/event-store.js';
import type { DeadLetter } from './dead-letters.js';

const AHEAD = 200;
/** Maximum gap between two revisions of one range: events in smaller gaps are read too. */
const GAP = 20;

/** Loads the events of dead letters, requested in the order of the dead letters, in ranges of their streams. */
export class LetterEvents {
  private ahead: ReadonlyMap<string, Recorded> = new Map();

  constructor(
    private readonly letters: readonly DeadLetter[],
    private readonly store: EventStore,
  ) {}

  async of(letter: DeadLetter): Promise<Recorded> {
    const key = keyOf(letter);
    if (!this.ahead.has(key)) this.ahead = await this.readFrom(letter);
    const event = this.ahead.get(key);
    if (event === undefined) throw new Error(`${letter.stream} has no revision ${letter.revision}`);
    return event;
  }

  private async readFrom(letter: DeadLetter): Promise<ReadonlyMap<string, Recorded>> {
    const first = this.letters.indexOf(letter);
    try {
      return await this.read(this.letters.slice(first, first + AHEAD));
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      // An unreadable event must fail its own dead letter only.
      return this.read([letter]);
    }
  }

  private async read(letters: readonly DeadLetter[]): Promise<ReadonlyMap<string, Recorded>> {
    const events = new Map<string, Recorded>();
    for (const [stream, ofStream] of Map.groupBy(letters, (letter) => letter.stream)) {
      for (const { from, to } of rangesIn(ofStream)) {
        const range = this.store.readStream(stream, { from, limit: to - from + 1 });
        for await (const event of range) events.set(keyOf(event), event);
      }
    }
    return events;
  }
}

/** Returns ranges of revisions. */
function rangesIn(letters: readonly DeadLetter[]): { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const { revision } of letters.toSorted((a, b) => a.revision - b.revision)) {
    const last = ranges.at(-1);
    if (last !== undefined && revision - last.to <= GAP) last.to = revision;
    else ranges.push({ from: revision, to: revision });
  }
  return ranges;
}

function keyOf({ stream, revision }: Pick<Recorded, 'stream' | 'revision'>): string {
  return `${revision} ${stream}`;
}
