import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Operation } from '../../http/openapi/operation.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { ClosedSet, CursorQuery } from '../../http/validation/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import type { Where } from '../../kernel/read-models.js';
import { AUDITED_EVENT_TYPES, auditEventSchema } from '../projections/audit-events.js';
import { ListAuditEvents } from '../queries/audit-event.queries.js';

class AuditEventsQuery extends CursorQuery {
  /** The id of a resource. */
  @IsOptional()
  @IsString()
  resource?: string;

  /** The id of an API key, of a user, or of a part of the service. */
  @IsOptional()
  @IsString()
  actor?: string;

  @ClosedSet(AUDITED_EVENT_TYPES)
  type?: string[];

  @IsOptional()
  @IsString()
  correlation_id?: string;

  @IsOptional()
  @IsDateOrTime()
  recorded_from?: string;

  @IsOptional()
  @IsDateOrTime()
  recorded_to?: string;

  @IsOptional()
  @IsIn(['asc', 'desc'])
  order?: 'asc' | 'desc';
}

@Controller('v1/audit/events')
export class AuditEventsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List audit events', auditEventSchema)
  list(@Ctx() context: CallerContext, @Query() query: AuditEventsQuery) {
    const paging = { limit: query.count, after: query.cursor };
    const ascending = query.order === 'asc';
    return this.queries.execute(new ListAuditEvents(context, { paging, filter: toFilter(query), ascending }));
  }
}

function toFilter({ resource, actor, type, correlation_id, recorded_from, recorded_to }: AuditEventsQuery): Where {
  const recorded = parseDateRange(recorded_from, recorded_to, ['recorded_from', 'recorded_to']);
  return {
    ...(resource !== undefined && { 'resource.id': resource }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(type !== undefined && { type: { in: type } }),
    ...(correlation_id !== undefined && { correlation_id }),
    ...(recorded !== null && { recorded_at: recorded }),
  };
}
