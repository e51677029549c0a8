import { hash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, Recorded } from '../../kernel/event.js';
import { StoreUnavailable, type EventStore, type ReadStreamOptions } from '../../kernel/event-store.js';
import { documentIn, type Projection } from '../../kernel/projection.js';
import type { Baselines, Kept } from './baselines.js';
import { Documents } from './documents.js';
import { evolved, isDue, nothingKnown, packed, unpacked, type Known } from './known.js';
import { AtOnce } from '../at-once.js';
import { Recent } from '../recent.js';

/** All that is remembered of streams, in characters of their events and states. */
const REMEMBERED_CHARACTERS = 64_000_000;
/** What fails so soon has met a connection that was lost a moment before; what takes longer has cost the caller enough. */
const SOON_MS = 1_000;
/** So many events are folded at once; between two such pieces others have their turn. */
const READ_AT_ONCE = 200;

/** What this process remembers of streams, and reads on in the log. */
export class Memory {
  private readonly known = new Recent<string, Known<unknown>>(REMEMBERED_CHARACTERS, ({ characters }) => characters);
  private readonly loads = new AtOnce<Known<unknown>>();
  private readonly documents: Documents;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly baselines: Baselines | null,
  ) {
    this.documents = new Documents((stream, options) => this.read(stream, options), baselines);
  }

  /** As it was when this process last looked; nothing, of most streams. */
  of<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Known<S> {
    return (this.known.get(stream) as Known<S> | undefined) ?? nothingKnown(decider);
  }

  keep(stream: string, known: Known<unknown>): void {
    this.known.set(stream, known);
  }

  /** Keeps what is known exactly, and now and then a baseline of it beside the stream. */
  keepNews<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string, known: Known<S>, before: Known<S>): void {
    this.keep(stream, known);
    const { eventId, revision, position } = known;
    if (this.baselines === null || !decider.baseline || !isDue(known, before)) return;
    this.baselines.save(baselineOf(decider, stream), { id: eventId!, revision, position }, packed(decider, known));
  }

  /** The document as the stream tells it up to the revision: from the events that are known, or else folded on from what is kept of it. */
  async documentAt<D extends object>(projection: Projection<D>, id: string, stream: string, revision: number): Promise<D | null> {
    const known = this.known.get(stream);
    if (!known?.events || known.revision < revision) return this.documents.at(projection, id, stream, revision);
    return documentIn(projection, id, known.events.slice(0, revision + 1));
  }

  /** As everything acknowledged so far tells it. */
  load<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    return this.loads.run(stream, () => this.loadAnew(decider, stream)) as Promise<Known<S>>;
  }

  /** Up to what is known, from the first one on. */
  async eventsOf(stream: string, known: Known<unknown>): Promise<readonly Recorded[]> {
    return known.events ?? (await this.read(stream, { limit: known.revision + 1 }));
  }

  /** As it was when it had no more events than up to this revision. */
  async upTo<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string, known: Known<S>, revision: number): Promise<Known<S>> {
    if (known.revision === revision) return known;
    if (known.events !== null) return evolved(decider, nothingKnown(decider), known.events.slice(0, revision + 1));
    const kept = await this.kept(decider, stream);
    return this.readOn(decider, stream, kept !== null && kept.revision <= revision ? kept : nothingKnown(decider), revision);
  }

  private async loadAnew<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    const remembered = this.of(decider, stream);
    const baseline = remembered.revision < 0 ? ((await this.kept(decider, stream)) ?? remembered) : remembered;
    const known = await this.readOn(decider, stream, baseline);
    if (known !== baseline) this.keepNews(decider, stream, known, baseline);
    else if (known !== remembered) this.keep(stream, known);
    return known;
  }

  private async readOn<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    from: Known<S>,
    until = Infinity,
  ): Promise<Known<S>> {
    for (let known = from; ;) {
      const limit = Math.min(READ_AT_ONCE, until - known.revision);
      const news = limit > 0 ? await this.read(stream, { from: known.revision + 1, limit }) : [];
      if (news.length > 0) known = evolved(decider, known, news);
      if (news.length < limit || news.length === 0) return known;
    }
  }

  /** What is kept of the state beside the stream, if the stream is still the one that it was made of. */
  private async kept<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S> | null> {
    if (this.baselines === null || !decider.baseline) return null;
    const kept = await this.baselines.load(baselineOf(decider, stream));
    return kept !== null && (await this.isOf(stream, kept)) ? unpacked(decider, kept) : null;
  }

  private async isOf(stream: string, { revision, eventId }: Kept): Promise<boolean> {
    const [event] = await this.read(stream, { from: revision, limit: 1 });
    return event?.id === eventId;
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

/** Other code that knows other events keeps another row: what it has folded into a state cannot be told from the state. */
function baselineOf(
  { baseline, versions }: Pick<Decider<never, never, Fact>, 'versions'> & { readonly baseline?: { readonly version: number } },
  stream: string,
): string {
  const events = Object.entries(versions).map(([type, version]) => `${type}@${version}`);
  return `${stream} ${baseline!.version} ${hash('sha1', events.sort().join(' '))}`;
}
