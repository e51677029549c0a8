import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsOptional, Matches } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { isDateOrTime, toEndOfDay } from '../../http/validation/date-range.js';
import { CursorQuery } from '../../http/validation/paging.js';
import { createParameterRejection } from '../../http/validation/validation.js';
import type { CallerContext } from '../../kernel/caller.js';
import type { Resource } from '../../kernel/schema.js';
import {
  type AsOf,
  auditHistoryItemSchema,
  ListResourceHistory,
  RetrieveAuditedResource,
} from '../queries/audit-resource.queries.js';

/** The position of an event as every store writes it. */
const POSITION = /^\d{16,}(-\d{16,})?$/;
const TIME_OR_POSITION = /^[0-9A-Za-z_.:+-]{1,64}$/;

/** A resource of any kind, in the shape of its own operations. */
const auditedResourceSchema: Resource = {
  name: 'AuditedResource',
  schema: { type: 'object', additionalProperties: true },
};

class AuditedResourceQuery {
  @Describe(
    'A date, a time or the position of an audit event: the resource is returned as it was then. By default, it is returned as it is now.',
    '2026-01-31T09:30:00.000Z',
  )
  @IsOptional()
  @Matches(TIME_OR_POSITION, { message: '$property must be an ISO 8601 date or time, or a position' })
  as_of?: string;
}

class ResourceHistoryQuery extends CursorQuery {}

@Controller('v1/audit/resources')
export class AuditResourcesController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':id')
  @Operation('Retrieve a resource as of a time', auditedResourceSchema, {
    about: 'Folds the events of the resource until that time.',
  })
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string, @Query() { as_of }: AuditedResourceQuery) {
    return { data: await this.queries.execute(new RetrieveAuditedResource(context, { id, asOf: parseAsOf(as_of) })) };
  }

  @Get(':id/history')
  @Operation('List the history of a resource', auditHistoryItemSchema, {
    about: 'Each item is an event with the fields that it changed.',
  })
  listHistory(@Ctx() context: CallerContext, @Param('id') id: string, @Query() query: ResourceHistoryQuery) {
    const paging = { limit: query.count, after: query.cursor };
    return this.queries.execute(new ListResourceHistory(context, { id, paging }));
  }
}

/** @throws Rejection invalid_parameter */
function parseAsOf(asOf: string | undefined): AsOf {
  if (asOf === undefined) return null;
  if (isDateOrTime(asOf)) return { time: new Date(toEndOfDay(asOf)).toISOString() };
  if (POSITION.test(asOf)) return { position: asOf };
  throw createParameterRejection([['as_of', 'as_of must be an ISO 8601 date or time, or a position.']]);
}
