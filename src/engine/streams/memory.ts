import type { Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import { evolved, nothingKnown, type Known } from './known.js';
import { Recent } from '../recent.js';

/** All that is remembered of streams, in characters of their events. */
const REMEMBERED_CHARACTERS = 64_000_000;

/** What this process remembers of streams, and reads on in the log. */
export class Memory {
  private readonly known = new Recent<string, Known<unknown>>(REMEMBERED_CHARACTERS, ({ characters }) => characters);

  constructor(private readonly store: EventStore) {}

  /** As it was when this process last looked; nothing, of most streams. */
  of<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Known<S> {
    return (this.known.get(stream) as Known<S> | undefined) ?? nothingKnown(decider);
  }

  keep(stream: string, known: Known<unknown>): void {
    this.known.set(stream, known);
  }

  /** As everything acknowledged so far tells it. */
  async load<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    const baseline = this.of(decider, stream);
    const news: Recorded[] = [];
    for await (const event of this.store.readStream(stream, { from: baseline.revision + 1 })) news.push(event);
    if (news.length === 0) return baseline;

    const known = evolved(decider, baseline, news);
    this.keep(stream, known);
    return known;
  }

  async eventsOf(stream: string, known: Known<unknown>): Promise<readonly Recorded[]> {
    if (known.events !== null) return known.events;
    const events: Recorded[] = [];
    for await (const event of this.store.readStream(stream, { limit: known.revision + 1 })) events.push(event);
    return events;
  }
}
