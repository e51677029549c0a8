import { type Decider, streamOf } from '../../kernel/decider.js';
import type { Fact, RecordedEvent, RecordedOf } from '../../kernel/event.js';
import type { EventStore } from '../../kernel/event-store.js';
import type { Position } from '../../kernel/position.js';
import type { Projection } from '../../kernel/projection.js';
import { assertKnownVersion } from '../../kernel/upcasting.js';

/**
 * The type name and the keys are permanent. An event is identified by its id, which stays the same in a copy of the
 * store.
 */
export type SkipEvent = Fact<'EventSkipped', Skip & { readonly projection: string; readonly reason: string }>;

/** An event that is skipped for one document; document null: for the whole projection. */
export interface Skip {
  readonly document: string | null;
  readonly eventId: string;
}

type SkipCommand = { readonly type: 'SkipEvent'; readonly projection: string; readonly reason: string } & Skip;

/** The key of the last skipped event, and the skips before it. */
type Skipped = { readonly key: string; readonly earlier: Skipped } | null;

/**
 * The events that operators have skipped for a projection, in every build of every version: one stream for each
 * projection name.
 */
export const projectionSkipsDecider: Decider<Skipped, SkipCommand, SkipEvent> = {
  category: 'projectionSkips',
  versions: { EventSkipped: 1 },
  initial: null,
  evolve: (earlier, { data }) => ({ key: skipKeyOf(data), earlier }),
  decide({ projection, document, eventId, reason }, skipped) {
    if (includesSkip(skipped, skipKeyOf({ document, eventId }))) return [];
    return [{ type: 'EventSkipped', data: { projection, document, eventId, reason } }];
  },
};

export const SKIP_TYPES = Object.keys(projectionSkipsDecider.versions);

/** A skip with its position in the log. */
export interface RecordedSkip extends Skip {
  readonly position: Position;
}

/** The skips of one projection that have been read. */
export class Skips {
  private readonly keys = new Set<string>();
  private readonly recorded: RecordedSkip[] = [];
  private readonly documents = new Set<string | null>();

  constructor(
    private readonly store: EventStore,
    private readonly projection: string,
  ) {}

  /** Reads the skips recorded since the last load. */
  async load(): Promise<void> {
    const stream = streamOf(projectionSkipsDecider, this.projection);
    for await (const event of this.store.readStream(stream, { from: this.count })) {
      assertKnownVersion(event, projectionSkipsDecider.versions);
      const skip = toRecordedSkip(event as RecordedOf<SkipEvent>);
      this.keys.add(skipKeyOf(skip));
      this.documents.add(skip.document);
      this.recorded.push(skip);
    }
  }

  get count(): number {
    return this.recorded.length;
  }

  /** Returns the skips after the first `count`, in log order. */
  listAfter(count: number): readonly RecordedSkip[] {
    return this.recorded.slice(count);
  }

  hasDocument(document: string): boolean {
    return this.documents.has(document) || this.documents.has(null);
  }

  has(skip: Skip): boolean {
    return this.keys.has(skipKeyOf(skip));
  }
}

/** Returns the skips of this projection among the events, in order. */
export function findSkips(events: readonly RecordedEvent[], projection: string): RecordedSkip[] {
  const stream = streamOf(projectionSkipsDecider, projection);
  return events
    .filter((event) => event.stream === stream)
    .map((event) => toRecordedSkip(event as RecordedOf<SkipEvent>));
}

function toRecordedSkip({ data: { document, eventId }, position }: RecordedOf<SkipEvent>): RecordedSkip {
  return { document, eventId, position };
}

/** Returns the projection without the events that are skipped now. */
export async function loadWithSkips<D extends object>(
  projection: Projection<D>,
  store: EventStore,
): Promise<Projection<D>> {
  const skips = new Skips(store, projection.name);
  await skips.load();
  return withSkips(projection, skips);
}

/** Returns the projection without the events in `skips`, including skips that are added later. */
export function withSkips<D extends object>(
  projection: Projection<D>,
  skips: Pick<Skips, 'has' | 'count'>,
): Projection<D> {
  return {
    ...projection,
    id(event) {
      if (skips.count === 0) return projection.id(event);
      const eventId = event.id;
      if (skips.has({ document: null, eventId })) return null;
      const ids = projection.id(event);
      const all = ids === null ? [] : typeof ids === 'string' ? [ids] : ids;
      return all.filter((document) => !skips.has({ document, eventId }));
    },
  };
}

function includesSkip(skipped: Skipped, key: string): boolean {
  for (let one = skipped; one !== null; one = one.earlier) if (one.key === key) return true;
  return false;
}

function skipKeyOf({ document, eventId }: Skip): string {
  return document === null ? eventId : `${eventId} ${document}`;
}
