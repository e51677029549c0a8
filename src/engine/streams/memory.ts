import type { Clock } from '../../kernel/clock.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import { StoreUnavailable, type EventStore, type ReadStreamOptions } from '../../kernel/event-store.js';
import { evolved, nothingKnown, type Known } from './known.js';
import { AtOnce } from '../at-once.js';
import { Recent } from '../recent.js';

/** All that is remembered of streams, in characters of their events. */
const REMEMBERED_CHARACTERS = 64_000_000;
/** What fails so soon has met a connection that was lost a moment before; what takes longer has cost the caller enough. */
const SOON_MS = 1_000;

/** What this process remembers of streams, and reads on in the log. */
export class Memory {
  private readonly known = new Recent<string, Known<unknown>>(REMEMBERED_CHARACTERS, ({ characters }) => characters);
  private readonly loads = new AtOnce<Known<unknown>>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  /** As it was when this process last looked; nothing, of most streams. */
  of<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Known<S> {
    return (this.known.get(stream) as Known<S> | undefined) ?? nothingKnown(decider);
  }

  keep(stream: string, known: Known<unknown>): void {
    this.known.set(stream, known);
  }

  /** As everything acknowledged so far tells it. */
  load<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    return this.loads.run(stream, () => this.loadAnew(decider, stream)) as Promise<Known<S>>;
  }

  async eventsOf(stream: string, known: Known<unknown>): Promise<readonly Recorded[]> {
    return known.events ?? (await this.read(stream, { limit: known.revision + 1 }));
  }

  /** As it was when it had no more events than up to this revision. */
  async upTo<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string, known: Known<S>, revision: number): Promise<Known<S>> {
    const events = await this.eventsOf(stream, known);
    return evolved(decider, nothingKnown(decider), events.slice(0, revision + 1));
  }

  private async loadAnew<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    const baseline = this.of(decider, stream);
    const news = await this.read(stream, { from: baseline.revision + 1 });
    if (news.length === 0) return baseline;

    const known = evolved(decider, baseline, news);
    this.keep(stream, known);
    return known;
  }

  /** Once more when it fails at once. */
  private async read(stream: string, options: ReadStreamOptions): Promise<Recorded[]> {
    const began = this.clock.monotonic();
    try {
      return await this.readOnce(stream, options);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || this.clock.monotonic() - began >= SOON_MS) throw error;
      return this.readOnce(stream, options);
    }
  }

  private async readOnce(stream: string, options: ReadStreamOptions): Promise<Recorded[]> {
    const events: Recorded[] = [];
    for await (const event of this.store.readStream(stream, options)) events.push(event);
    return events;
  }
}
