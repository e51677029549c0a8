import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { SliceResult } from '../../engine/read-models/read-model-reader.js';
import { freeForm, nullable, resource, type Schema } from '../../kernel/schema.js';
import { AuditIndex } from '../history/audit-index.js';
import { AuditReads } from '../history/audit-reads.js';
import { type AuditWalk, AuditWalks } from '../history/audit-walks.js';
import { type FieldChanges, findChanges } from '../history/field-changes.js';
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

/** The fields that differ, by path, with the values before and after. */
export const changesSchema: Schema<FieldChanges> = {
  schema: {
    type: 'object',
    additionalProperties: {
      type: 'object',
      required: ['before', 'after'],
      properties: { before: {}, after: {}, erased: { const: true } },
    },
  },
};

export const auditEventDetailSchema = resource('AuditEventDetail', {
  ...auditEventFields,
  data: freeForm,
  before: nullable(freeForm),
  after: nullable(freeForm),
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
