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

/** Capacity of the cache, in characters of events and states. */
const REMEMBERED_CHARACTERS = 64_000_000;
/**
 * A read that fails within this time has met a connection that was just lost. A later failure has already cost the
 * caller enough time.
 */
const SOON_MS = 1_000;
/** Number of events folded in one step; other tasks run between two steps. */
const READ_AT_ONCE = 200;

/** Caches the streams that this process has used, and reads later events from the log. */
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

  /** Returns the cached snapshot; empty for most streams. */
  of<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Known<S> {
    return (this.known.get(stream) as Known<S> | undefined) ?? nothingKnown(decider);
  }

  keep(stream: string, known: Known<unknown>): void {
    this.known.set(stream, known);
  }

  /** Stores an exact snapshot and, when due, a baseline beside the stream. */
  keepNews<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string, known: Known<S>, before: Known<S>): void {
    this.keep(stream, known);
    const { eventId, revision, position } = known;
    if (this.baselines === null || !decider.baseline || !isDue(known, before)) return;
    this.baselines.save(baselineOf(decider, stream), { id: eventId!, revision, position }, packed(decider, known));
  }

  /**
   * Returns the document at the revision of the stream, folded from the cached events or from the document's own cache.
   */
  async documentAt<D extends object>(projection: Projection<D>, id: string, stream: string, revision: number): Promise<D | null> {
    const known = this.known.get(stream);
    if (!known?.events || known.revision < revision) return this.documents.at(projection, id, stream, revision);
    return documentIn(projection, id, known.events.slice(0, revision + 1));
  }

  /** Loads the stream with all events acknowledged so far. */
  load<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S>> {
    return this.loads.run(stream, () => this.loadAnew(decider, stream)) as Promise<Known<S>>;
  }

  /** Returns the events of the snapshot, from the first one on. */
  async eventsOf(stream: string, known: Known<unknown>): Promise<readonly Recorded[]> {
    return known.events ?? (await this.read(stream, { limit: known.revision + 1 }));
  }

  /** Returns the snapshot of the stream at an earlier revision. */
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

  /** Loads the stored baseline if it belongs to this stream. */
  private async kept<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<Known<S> | null> {
    if (this.baselines === null || !decider.baseline) return null;
    const kept = await this.baselines.load(baselineOf(decider, stream));
    return kept !== null && (await this.isOf(stream, kept)) ? unpacked(decider, kept) : null;
  }

  private async isOf(stream: string, { revision, eventId }: Kept): Promise<boolean> {
    const [event] = await this.read(stream, { from: revision, limit: 1 });
    return event?.id === eventId;
  }

  /** Reads events, and retries a read once if it fails quickly. */
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

/** Code that knows other events uses another row: a folded state does not show which events the code knew. */
function baselineOf(
  { baseline, versions }: Pick<Decider<never, never, Fact>, 'versions'> & { readonly baseline?: { readonly version: number } },
  stream: string,
): string {
  const events = Object.entries(versions).map(([type, version]) => `${type}@${version}`);
  return `${stream} ${baseline!.version} ${hash('sha1', events.sort().join(' '))}`;
}
