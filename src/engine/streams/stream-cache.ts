import { hash } from 'node:crypto';
import type { Clock } from '../../kernel/clock.js';
import type { Decider } from '../../kernel/decider.js';
import type { Fact, RecordedEvent } from '../../kernel/event.js';
import { type EventStore, type ReadStreamOptions, StoreUnavailable } from '../../kernel/event-store.js';
import { type Projection, renderOrNull } from '../../kernel/projection.js';
import { LruCache } from '../lru-cache.js';
import { SingleFlight } from '../single-flight.js';
import { findAppendEnd, findAppendStart, type KnownStream } from './append-bounds.js';
import type { Baselines, StoredBaseline } from './baselines.js';
import { StreamDocuments } from './stream-documents.js';
import {
  applyEvents,
  emptySnapshot,
  isBaselineDue,
  packBaseline,
  type StreamSnapshot,
  unpackBaseline,
} from './stream-snapshot.js';

/** Capacity of the cache, in characters of events and states. */
const CACHE_CHARACTERS = 24_000_000;
/**
 * A read that fails within this time has met a connection that was just lost. A later failure has already cost the
 * caller enough time.
 */
const RETRY_WITHIN_MS = 1_000;
/** Number of events folded in one step; other tasks run between two steps. */
const PAGE_EVENTS = 200;

/** Caches the streams that this process has used, and reads later events from the log. */
export class StreamCache {
  private readonly snapshots = new LruCache<string, StreamSnapshot<unknown>>(
    CACHE_CHARACTERS,
    ({ characters }) => characters,
  );
  private readonly loads = new SingleFlight<StreamSnapshot<unknown>>();
  private readonly documents: StreamDocuments;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly baselines: Baselines | null,
  ) {
    this.documents = new StreamDocuments((stream, options) => this.readWithRetry(stream, options), baselines);
  }

  /** Returns the cached snapshot; empty for most streams. */
  get<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): StreamSnapshot<S> {
    return (this.snapshots.get(stream) as StreamSnapshot<S> | undefined) ?? emptySnapshot(decider);
  }

  set(stream: string, snapshot: StreamSnapshot<unknown>): void {
    this.snapshots.set(stream, snapshot);
  }

  /** Stores an exact snapshot and, when due, a baseline beside the stream. */
  update<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    snapshot: StreamSnapshot<S>,
    before: StreamSnapshot<S>,
  ): void {
    this.set(stream, snapshot);
    const { eventId, revision, position } = snapshot;
    if (this.baselines === null || !decider.baseline || !isBaselineDue(decider, snapshot, before)) return;
    this.baselines.save(
      baselineKeyOf(decider, stream),
      { id: eventId!, revision, position },
      packBaseline(decider, snapshot),
    );
  }

  /**
   * Returns the document at the revision of the stream, folded from the cached events or from the document's own cache.
   */
  async loadDocumentAt<D extends object>(
    projection: Projection<D>,
    id: string,
    stream: string,
    revision: number,
  ): Promise<D | null> {
    const snapshot = this.snapshots.get(stream);
    if (!snapshot?.events || snapshot.revision < revision) return this.documents.load(projection, id, stream, revision);
    return renderOrNull(projection, id, snapshot.events.slice(0, revision + 1));
  }

  /** Returns the revision of the last event of the append. */
  findAppendEnd(event: RecordedEvent): Promise<number> {
    return findAppendEnd(event, this.toKnownStream(event.stream));
  }

  /** Returns the revision of the first event of the append. */
  findAppendStart(event: RecordedEvent): Promise<number> {
    return findAppendStart(event, this.toKnownStream(event.stream));
  }

  /** Loads the stream with all events acknowledged so far. */
  load<S, C, E extends Fact>(decider: Decider<S, C, E>, stream: string): Promise<StreamSnapshot<S>> {
    return this.loads.run(stream, () => this.loadFromStore(decider, stream)) as Promise<StreamSnapshot<S>>;
  }

  async loadEvents(stream: string, snapshot: StreamSnapshot<unknown>): Promise<readonly RecordedEvent[]> {
    return snapshot.events ?? (await this.readWithRetry(stream, { limit: snapshot.revision + 1 }));
  }

  async rewindTo<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    snapshot: StreamSnapshot<S>,
    revision: number,
  ): Promise<StreamSnapshot<S>> {
    if (snapshot.revision === revision) return snapshot;
    if (snapshot.events !== null)
      return applyEvents(decider, emptySnapshot(decider), snapshot.events.slice(0, revision + 1));
    const baseline = await this.loadBaseline(decider, stream);
    return this.readOn(
      decider,
      stream,
      baseline !== null && baseline.revision <= revision ? baseline : emptySnapshot(decider),
      revision,
    );
  }

  private toKnownStream(stream: string): KnownStream {
    return {
      cached: this.snapshots.get(stream)?.events,
      isLast: (revision) => this.store.isLastRevision(stream, revision),
      read: (options) => this.readWithRetry(stream, options),
    };
  }

  private async loadFromStore<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
  ): Promise<StreamSnapshot<S>> {
    const cached = this.get(decider, stream);
    if (!cached.stale && this.store.isLastRevision(stream, cached.revision)) return cached;
    const baseline = cached.revision < 0 ? ((await this.loadBaseline(decider, stream)) ?? cached) : cached;
    const snapshot = await this.readOn(decider, stream, baseline);
    if (snapshot !== baseline) this.update(decider, stream, snapshot, baseline);
    else if (snapshot !== cached) this.set(stream, snapshot);
    return snapshot;
  }

  private async readOn<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
    from: StreamSnapshot<S>,
    until = Infinity,
  ): Promise<StreamSnapshot<S>> {
    for (let snapshot = from; ;) {
      const limit = Math.min(PAGE_EVENTS, until - snapshot.revision);
      const events = limit > 0 ? await this.readWithRetry(stream, { from: snapshot.revision + 1, limit }) : [];
      if (events.length > 0) snapshot = applyEvents(decider, snapshot, events);
      if (events.length < limit || events.length === 0) return snapshot;
    }
  }

  /** Loads the stored baseline if it belongs to this stream. */
  private async loadBaseline<S, C, E extends Fact>(
    decider: Decider<S, C, E>,
    stream: string,
  ): Promise<StreamSnapshot<S> | null> {
    if (this.baselines === null || !decider.baseline) return null;
    const baseline = await this.baselines.load(baselineKeyOf(decider, stream));
    return baseline !== null && (await this.isFromStream(stream, baseline)) ? unpackBaseline(decider, baseline) : null;
  }

  private async isFromStream(stream: string, { revision, eventId }: StoredBaseline): Promise<boolean> {
    const [event] = await this.readWithRetry(stream, { from: revision, limit: 1 });
    return event?.id === eventId;
  }

  /** Reads events, and retries a read once if it fails quickly. */
  private async readWithRetry(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> {
    const startedAt = this.clock.monotonic();
    try {
      return await this.readOnce(stream, options);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || this.clock.monotonic() - startedAt >= RETRY_WITHIN_MS) throw error;
      return this.readOnce(stream, options);
    }
  }

  private async readOnce(stream: string, options: ReadStreamOptions): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const event of this.store.readStream(stream, options)) events.push(event);
    return events;
  }
}

/** Code that knows other events uses another row: a folded state does not show which events the code knew. */
function baselineKeyOf(
  {
    baseline,
    versions,
  }: Pick<Decider<never, never, Fact>, 'versions'> & { readonly baseline?: { readonly version: number } },
  stream: string,
): string {
  const events = Object.entries(versions).map(([type, version]) => `${type}@${version}`);
  return `${stream} ${baseline!.version} ${hash('sha1', events.sort().join(' '))}`;
}
