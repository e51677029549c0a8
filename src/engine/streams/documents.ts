import type { Recorded } from '../../kernel/event.js';
import type { ReadStreamOptions } from '../../kernel/event-store.js';
import { apply, collectionOf, idsOf, type Projection } from '../../kernel/projection.js';
import { Recent } from '../recent.js';
import type { Baselines } from './baselines.js';
import { weightOf } from './weight.js';

const REMEMBERED_CHARACTERS = 16_000_000;
/** Number of events after which the document is stored as a baseline. */
const BASELINE_EVENTS = 200;
const READ_AT_ONCE = 1_000;

interface KeptDocument {
  readonly revision: number;
  readonly document: object | null;
  /** Revision of the latest stored baseline. */
  readonly saved: number;
}

const NOTHING: KeptDocument = { revision: -1, document: null, saved: -1 };

/**
 * Documents of streams that are too long to be folded from the first event. Each document is folded on from its last
 * known state.
 */
export class Documents {
  private readonly kept = new Recent<string, KeptDocument>(REMEMBERED_CHARACTERS, ({ document }) => weightOf(document));

  constructor(
    private readonly read: (stream: string, options: ReadStreamOptions) => Promise<readonly Recorded[]>,
    private readonly baselines: Baselines | null,
  ) {}

  /** Returns the document at the given revision of the stream. */
  async at<D extends object>(projection: Projection<D>, id: string, stream: string, revision: number): Promise<D | null> {
    const key = `${stream} ${collectionOf(projection)} ${id}`;
    let known = await this.before(key, stream, revision);
    while (known.revision < revision) {
      const limit = Math.min(READ_AT_ONCE, revision - known.revision);
      const news = await this.read(stream, { from: known.revision + 1, limit });
      if (news.length === 0) break;
      known = this.withNews(projection, id, key, known, news);
    }
    if (known.revision >= (this.kept.get(key)?.revision ?? -1)) this.kept.set(key, known);
    return known.document as D | null;
  }

  /** Returns the latest known state of the document that is not beyond the revision. */
  private async before(key: string, stream: string, revision: number): Promise<KeptDocument> {
    const remembered = this.kept.get(key);
    if (remembered !== undefined && remembered.revision <= revision) return remembered;

    const saved = (await this.baselines?.load(key)) ?? null;
    if (saved === null || saved.revision > revision) return NOTHING;
    const [event] = await this.read(stream, { from: saved.revision, limit: 1 });
    if (event?.id !== saved.eventId) return NOTHING;
    const { document } = saved.value as { readonly document: object | null };
    return { revision: saved.revision, document, saved: saved.revision };
  }

  private withNews<D extends object>(
    projection: Projection<D>,
    id: string,
    key: string,
    known: KeptDocument,
    news: readonly Recorded[],
  ): KeptDocument {
    const document = news
      .filter((event) => idsOf(projection, event).includes(id))
      .reduce<D | null>((current, event) => apply(projection, current, event), known.document as D | null);
    const last = news.at(-1)!;
    const isDue = last.revision - known.saved >= BASELINE_EVENTS;
    if (isDue) this.baselines?.save(key, last, { document });
    return { revision: last.revision, document, saved: isDue ? last.revision : known.saved };
  }
}
