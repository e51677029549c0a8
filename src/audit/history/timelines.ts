import { Injectable } from '@nestjs/common';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { EventStore } from '../../kernel/event-store.js';
import type { SortKey } from '../../kernel/read-models.js';
import type { Reference } from '../../kernel/reference.js';
import type { AuditEventDocument } from '../projections/audit-events.js';
import { AuditIndex } from './audit-index.js';
import { findResourceKind, type ResourceKind } from './audited-resources.js';
import { type Moment, ResourceBaselines } from './resource-baselines.js';
import { ResourceTimeline, type TimelineStart } from './resource-timeline.js';

const PAGE_ENTRIES = 100;
/** The upper end of a stream, which no event reaches. */
const WHOLE_STREAM = Number.MAX_SAFE_INTEGER;

/** Opens the histories of resources. */
@Injectable()
export class Timelines {
  constructor(
    private readonly index: AuditIndex,
    private readonly store: EventStore,
    private readonly baselines: ResourceBaselines,
  ) {}

  /**
   * Opens the history of a resource at a moment at or before the last one that is wanted; null for a kind of resource
   * that the API never shows.
   */
  async open(
    context: Context,
    { object, id }: Reference,
    isWanted: (moment: Moment) => boolean,
  ): Promise<ResourceTimeline | null> {
    const kind = findResourceKind(object);
    if (kind === null) return null;
    return kind.category === null
      ? this.openEntries(context, kind, id)
      : this.openStream(kind, id, `${kind.category}-${id}`, isWanted);
  }

  async readEvent({ stream, revision }: Pick<AuditEventDocument, 'stream' | 'revision'>): Promise<RecordedEvent> {
    for await (const event of this.store.readStream(stream, { from: revision, limit: 1 })) return event;
    throw new Error(`${stream} has no event ${revision}`);
  }

  private async openStream(
    kind: ResourceKind,
    id: string,
    stream: string,
    isWanted: (moment: Moment) => boolean,
  ): Promise<ResourceTimeline> {
    const stored = await this.baselines.findLast(kind, stream, isWanted);
    const from = (stored?.revision ?? -1) + 1;
    return new ResourceTimeline({
      kind,
      id,
      document: stored?.document ?? null,
      events: this.store
        .readStream(stream, { from, limit: WHOLE_STREAM })
        [Symbol.asyncIterator]() as TimelineStart['events'],
      save: (event, document) => this.baselines.save(kind, event, document),
    });
  }

  /** A resource without streams of its own has few events: only those that name it. */
  private openEntries(context: Context, kind: ResourceKind, id: string): ResourceTimeline {
    const events = this.readEntries(context, id);
    return new ResourceTimeline({ kind, id, document: null, events, save: () => undefined });
  }

  private async *readEntries(context: Context, id: string): AsyncGenerator<RecordedEvent> {
    for (let after: SortKey | null | undefined; after !== null;) {
      const query = { where: { 'resource.id': id }, ascending: true, limit: PAGE_ENTRIES, after };
      const { documents, next } = await this.index.findSlice(context, query);
      for (const entry of documents) yield await this.readEvent(entry);
      after = next;
    }
  }
}
