import type { RecordedEvent } from '../../kernel/event.js';
import type { ReadStreamOptions } from '../../kernel/event-store.js';
import { collectionOf, type Projection, renderOrNull } from '../../kernel/projection.js';
import { LruCache } from '../lru-cache.js';
import type { Baselines } from './baselines.js';
import { estimateCharacters } from './weight.js';

const CACHE_CHARACTERS = 16_000_000;
/** Number of events after which the document is stored as a baseline. */
const BASELINE_EVENTS = 200;
const PAGE_EVENTS = 1_000;

interface CachedDocument {
  readonly revision: number;
  readonly document: object | null;
  readonly baselineRevision: number;
}

/** A known document, and an earlier state of it: the events of one append all ask for the state before the append. */
interface CachedStates {
  readonly latest: CachedDocument;
  readonly earlier: CachedDocument | null;
}

const EMPTY_DOCUMENT: CachedDocument = { revision: -1, document: null, baselineRevision: -1 };

/**
 * Documents of streams that are too long to be folded from the first event. Each document is folded on from its last
 * known state.
 */
export class StreamDocuments {
  private readonly cache = new LruCache<string, CachedStates>(
    CACHE_CHARACTERS,
    ({ latest, earlier }) => estimateCharacters(latest.document) + estimateCharacters(earlier?.document ?? null),
  );

  constructor(
    private readonly read: (stream: string, options: ReadStreamOptions) => Promise<readonly RecordedEvent[]>,
    private readonly baselines: Baselines | null,
  ) {}

  async load<D extends object>(
    projection: Projection<D>,
    id: string,
    stream: string,
    revision: number,
  ): Promise<D | null> {
    const key = `${stream} ${collectionOf(projection)} ${id}`;
    const start = await this.findStart(key, stream, revision);
    let current = start;
    while (current.revision < revision) {
      const limit = Math.min(PAGE_EVENTS, revision - current.revision);
      const events = await this.read(stream, { from: current.revision + 1, limit });
      if (events.length === 0) break;
      current = this.applyEvents(projection, id, key, current, events);
    }
    this.keep(key, current, start);
    return current.document as D | null;
  }

  private keep(key: string, loaded: CachedDocument, start: CachedDocument): void {
    const known = this.cache.get(key);
    if (known === undefined || loaded.revision > known.latest.revision)
      this.cache.set(key, { latest: loaded, earlier: start === EMPTY_DOCUMENT ? null : start });
    else if (loaded.revision < known.latest.revision) this.cache.set(key, { ...known, earlier: loaded });
  }

  /** Returns the latest known state of the document that is not beyond the revision. */
  private async findStart(key: string, stream: string, revision: number): Promise<CachedDocument> {
    const { latest = null, earlier = null } = this.cache.get(key) ?? {};
    for (const cached of [latest, earlier]) if (cached !== null && cached.revision <= revision) return cached;

    const saved = (await this.baselines?.load(key)) ?? null;
    if (saved === null || saved.revision > revision) return EMPTY_DOCUMENT;
    const [event] = await this.read(stream, { from: saved.revision, limit: 1 });
    if (event?.id !== saved.eventId) return EMPTY_DOCUMENT;
    const { document } = saved.value as { readonly document: object | null };
    return { revision: saved.revision, document, baselineRevision: saved.revision };
  }

  private applyEvents<D extends object>(
    projection: Projection<D>,
    id: string,
    key: string,
    current: CachedDocument,
    events: readonly RecordedEvent[],
  ): CachedDocument {
    const document = renderOrNull(projection, id, events, current.document as D | null);
    const last = events.at(-1)!;
    const isDue = last.revision - current.baselineRevision >= BASELINE_EVENTS;
    if (isDue) this.baselines?.save(key, last, { document });
    return { revision: last.revision, document, baselineRevision: isDue ? last.revision : current.baselineRevision };
  }
}
