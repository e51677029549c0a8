import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { CursorPaging } from '../../engine/read-models/queries.js';
import { ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import type { Where } from '../../kernel/read-models.js';
import { auditEvents, type AuditEventView, toAuditEventView } from '../projections/audit-events.js';

interface AuditEventList {
  readonly paging: CursorPaging;
  readonly filter: Where;
  readonly ascending: boolean;
}

/** Lists the entries of the caller's business in the order of the log. */
export class ListAuditEvents extends ContextQuery<AuditEventList, SliceResult<AuditEventView>> {}

@QueryHandler(ListAuditEvents)
export class ListAuditEventsHandler implements IQueryHandler<ListAuditEvents> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, params }: ListAuditEvents): Promise<SliceResult<AuditEventView>> {
    const { paging, filter, ascending } = params;
    const where = { ...toOwnerFilter(context), ...filter };
    const request = { where, orderBy: 'position', ascending, ...paging };
    const { data, pagination } = await this.reader.getSlice(auditEvents, request, context.consistency);
    return { data: data.map(toAuditEventView), pagination };
  }
}
