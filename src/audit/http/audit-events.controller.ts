import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { ClosedSet, CursorQuery, FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import type { AuditRead } from '../domain/audit-read.js';
import { listAuditedTypes } from '../domain/resource-namings.js';
import { auditEventSchema } from '../projections/audit-events.js';
import { auditEventDetailSchema, ListAuditEvents, RetrieveAuditEvent } from '../queries/audit-event.queries.js';

class AuditEventsQuery extends CursorQuery {
  @Describe('Only events about the resource with this id.', 'prod_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  resource?: string;

  @Describe(
    'Only events of the actor with this id: an API key, a user, a cart or a part of the service.',
    'key_01kg9p6je0grr0rycz01afc5br',
  )
  @FilterText()
  actor?: string;

  @Describe('Only events of these types.')
  @ClosedSet(listAuditedTypes)
  type?: string[];

  @Describe('Only events that the request with this id caused.', 'req_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  correlation_id?: string;

  @Describe('Only events that were recorded at this time or later.')
  @IsOptional()
  @IsDateOrTime()
  recorded_from?: string;

  @Describe('Only events that were recorded at this time or earlier; a date means the end of that day (UTC).')
  @IsOptional()
  @IsDateOrTime()
  recorded_to?: string;

  @Describe('Whether the list starts with the oldest event (`asc`) or with the newest one (`desc`, the default).')
  @IsOptional()
  @IsIn(['asc', 'desc'])
  order?: 'asc' | 'desc';
}

@Controller('v1/audit/events')
export class AuditEventsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List audit events', auditEventSchema, {
    about: 'Shows who changed what, and when.',
  })
  list(@Ctx() context: CallerContext, @Query() query: AuditEventsQuery) {
    const paging = { limit: query.count, after: query.cursor };
    const ascending = query.order === 'asc';
    const read = { kind: 'events', target: null, filter: toRecordedFilter(query) } as const;
    return this.queries.execute(new ListAuditEvents(context, { paging, where: toFilter(query), ascending, read }));
  }

  @Get(':id')
  @Operation('Retrieve an audit event', auditEventDetailSchema, {
    about: 'Shows its data, and its resource before and after it.',
  })
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveAuditEvent(context, { id })) };
  }
}

function toFilter({ resource, actor, type, correlation_id, recorded_from, recorded_to }: AuditEventsQuery) {
  const recorded = parseDateRange(recorded_from, recorded_to, ['recorded_from', 'recorded_to']);
  return {
    ...(resource !== undefined && { 'resource.id': resource }),
    ...(actor !== undefined && { 'actor.id': actor }),
    ...(type !== undefined && { type: { in: type } }),
    ...(correlation_id !== undefined && { correlation_id }),
    ...(recorded !== null && { recorded_at: recorded }),
  };
}

function toRecordedFilter({
  resource,
  actor,
  type,
  correlation_id,
  recorded_from,
  recorded_to,
  order,
}: AuditEventsQuery): AuditRead['filter'] {
  return omitUndefined({ resource, actor, type, correlation_id, recorded_from, recorded_to, order });
}
