import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { IsOptional } from 'class-validator';
import { Ctx } from '../../http/auth/request-context.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation } from '../../http/openapi/operation.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { ClosedSet, CursorQuery, FilterText } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { expandEventTypes, listEventTypeFilters } from '../event-catalogue.js';
import { publicEventSchema } from '../projections/public-events.js';
import { ListPublicEvents, RetrievePublicEvent } from '../queries/public-event.queries.js';

class PublicEventsQuery extends CursorQuery {
  @Describe('Only events of these types; `community.*` selects all types that begin so.')
  @ClosedSet(listEventTypeFilters)
  event_type?: string[];

  @Describe('Only events whose data have this `id`: those of one resource.', 'prod_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  resource?: string;

  @Describe('Only events that were recorded at this time or later.')
  @IsOptional()
  @IsDateOrTime()
  created_from?: string;

  @Describe('Only events that were recorded at this time or earlier; a date means the end of that day (UTC).')
  @IsOptional()
  @IsDateOrTime()
  created_to?: string;
}

@Controller('v1/webhooks/events')
export class PublicEventsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Operation('List public events', publicEventSchema, {
    about: 'An event is in the list also when no endpoint receives it.',
  })
  list(@Ctx() context: CallerContext, @Query() query: PublicEventsQuery) {
    const paging = { limit: query.count, after: query.cursor };
    return this.queries.execute(new ListPublicEvents(context, { paging, filter: toFilter(query) }));
  }

  @Get(':id')
  @Operation('Retrieve a public event', publicEventSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrievePublicEvent(context, { id })) };
  }
}

function toFilter({ event_type, resource, created_from, created_to }: PublicEventsQuery) {
  const occurred = parseDateRange(created_from, created_to, ['created_from', 'created_to']);
  return {
    ...(event_type !== undefined && { type: { in: expandEventTypes(event_type) } }),
    ...(resource !== undefined && { _resource: resource }),
    ...(occurred !== null && { occurred_at: occurred }),
  };
}
