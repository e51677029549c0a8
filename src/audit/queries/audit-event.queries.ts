import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { SliceResult } from '../../engine/read-models/read-model-reader.js';
import { type FieldChanges, fieldChanges } from '../../kernel/field-changes.js';
import { describe, freeForm, nullable, resource } from '../../kernel/schema.js';
import { AuditIndex } from '../history/audit-index.js';
import { AuditReads } from '../history/audit-reads.js';
import { type AuditWalk, AuditWalks } from '../history/audit-walks.js';
import { findChanges } from '../history/field-changes.js';
import { Timelines } from '../history/timelines.js';
import { toVisibleData } from '../history/visible-data.js';
import { auditEventFields, type AuditEventView, toAuditEventView } from '../projections/audit-events.js';

/** Lists the entries of the caller's business in the order of the log. */
export class ListAuditEvents extends ContextQuery<AuditWalk, SliceResult<AuditEventView>> {}

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(private readonly walks: AuditWalks) {}

  async execute({ context, params }: ListAuditEvents): Promise<SliceResult<AuditEventView>> {
    const { data, pagination } = await this.walks.getPage(context, params);
    return { data: data.map(toAuditEventView), pagination };
  }
}

export const changesSchema = describe(
  fieldChanges,
  'The fields that the event changed, by path, such as `plans[1].amount_cents`.',
  { status: { before: 'draft', after: 'approved' } },
);

export const auditEventDetailSchema = resource('AuditEventDetail', {
  ...auditEventFields,
  data: describe(freeForm, 'The data of the event without secrets; the fields of a forgotten person are null.'),
  before: describe(
    nullable(freeForm),
    'The resource before the event; null when it did not exist, or when the API does not show its kind.',
  ),
  after: describe(
    nullable(freeForm),
    'The resource after the event; null when it was deleted, or when the API does not show its kind.',
  ),
  changes: changesSchema,
});

interface AuditEventDetail extends AuditEventView {
  readonly data: object;
  readonly before: object | null;
  readonly after: object | null;
  readonly changes: FieldChanges;
}

/** Returns an entry with its data, and the resource before and after it. */
export class RetrieveAuditEvent extends ContextQuery<{ id: string }, AuditEventDetail> {}

@QueryHandler(RetrieveAuditEvent)
export class RetrieveAuditEventHandler implements IQueryHandler<RetrieveAuditEvent> {
  constructor(
    private readonly index: AuditIndex,
    private readonly timelines: Timelines,
    private readonly reads: AuditReads,
  ) {}

  async execute({ context, params: { id } }: RetrieveAuditEvent): Promise<AuditEventDetail> {
    const entry = await this.index.getOwned(context, id);
    const { position } = entry;
    const { data } = await this.timelines.readEvent(entry);
    const timeline = await this.timelines.open(context, entry.resource, (moment) => moment.position < position);
    await timeline?.advanceTo(position);
    const before = timeline?.shown ?? null;
    await timeline?.advanceThrough(position);
    const after = timeline?.shown ?? null;
    await this.reads.record(context, { kind: 'event', target: id, filter: {} });
    const changes = findChanges(before, after);
    return { ...toAuditEventView(entry), data: toVisibleData(data), before, after, changes };
  }
}
