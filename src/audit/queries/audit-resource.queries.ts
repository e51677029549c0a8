import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { CursorPaging } from '../../engine/read-models/queries.js';
import type { SliceResult } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { FieldChanges } from '../../kernel/field-changes.js';
import type { Position } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { resource } from '../../kernel/schema.js';
import type { AuditRead } from '../domain/audit-read.js';
import { AuditIndex } from '../history/audit-index.js';
import { AuditReads } from '../history/audit-reads.js';
import { AuditWalks } from '../history/audit-walks.js';
import { findChanges } from '../history/field-changes.js';
import type { Moment } from '../history/resource-baselines.js';
import type { ResourceTimeline } from '../history/resource-timeline.js';
import { Timelines } from '../history/timelines.js';
import {
  type AuditEventDocument,
  auditEventFields,
  type AuditEventView,
  toAuditEventView,
} from '../projections/audit-events.js';
import { changesSchema } from './audit-event.queries.js';

/** The last moment of a resource that is wanted: a time, a position, or now. */
export type AsOf = { readonly time: string } | { readonly position: Position } | null;

/** Returns a resource as it was at a moment. */
export class RetrieveAuditedResource extends ContextQuery<{ id: string; asOf: AsOf }, object> {}

@QueryHandler(RetrieveAuditedResource)
export class RetrieveAuditedResourceHandler implements IQueryHandler<RetrieveAuditedResource> {
  constructor(
    private readonly index: AuditIndex,
    private readonly timelines: Timelines,
    private readonly reads: AuditReads,
  ) {}

  async execute({ context, params: { id, asOf } }: RetrieveAuditedResource): Promise<object> {
    await this.index.readHead();
    const first = await this.index.requireFirst(context, { 'resource.id': id });
    const isWanted = createLimit(asOf);
    const timeline = await this.timelines.open(context, first.resource, isWanted);
    await timeline?.advanceWhile(({ position, meta }: RecordedEvent) => isWanted({ position, at: meta.at }));
    if (!timeline?.shown) throw Rejection.notFound();

    const filter: AuditRead['filter'] = asOf === null ? {} : { as_of: 'time' in asOf ? asOf.time : asOf.position };
    await this.reads.record(context, { kind: 'resource', target: id, filter });
    return timeline.shown;
  }
}

function createLimit(asOf: AsOf): (moment: Moment) => boolean {
  if (asOf === null) return () => true;
  return 'time' in asOf ? ({ at }) => at <= asOf.time : ({ position }) => position <= asOf.position;
}

export const auditHistoryItemSchema = resource('AuditHistoryItem', { ...auditEventFields, changes: changesSchema });

interface HistoryItem extends AuditEventView {
  readonly changes: FieldChanges;
}

/** Lists the entries of a resource, oldest first, each with the fields that it changed. */
export class ListResourceHistory extends ContextQuery<{ id: string; paging: CursorPaging }, SliceResult<HistoryItem>> {}

@QueryHandler(ListResourceHistory)
export class ListResourceHistoryHandler implements IQueryHandler<ListResourceHistory> {
  constructor(
    private readonly index: AuditIndex,
    private readonly walks: AuditWalks,
    private readonly timelines: Timelines,
  ) {}

  async execute({ context, params: { id, paging } }: ListResourceHistory): Promise<SliceResult<HistoryItem>> {
    const where = { 'resource.id': id };
    if (paging.after === null) await this.index.readHead();
    await this.index.requireFirst(context, where);
    const read = { kind: 'resource_history', target: id, filter: {} } as const;
    const { data, pagination } = await this.walks.getPage(context, { paging, where, ascending: true, read });
    return { data: await this.addChanges(context, data), pagination };
  }

  /** Folds the events of the resource once for the whole page. */
  private async addChanges(context: Context, entries: readonly AuditEventDocument[]): Promise<HistoryItem[]> {
    if (entries[0] === undefined) return [];
    const { resource: named, position } = entries[0];
    const timeline = await this.timelines.open(context, named, (moment) => moment.position < position);
    const items: HistoryItem[] = [];
    for (const entry of entries)
      items.push({ ...toAuditEventView(entry), changes: await readChanges(timeline, entry.position) });
    return items;
  }
}

async function readChanges(timeline: ResourceTimeline | null, position: Position): Promise<FieldChanges> {
  if (timeline === null) return {};
  await timeline.advanceTo(position);
  const before = timeline.shown;
  await timeline.advanceThrough(position);
  return findChanges(before, timeline.shown);
}
