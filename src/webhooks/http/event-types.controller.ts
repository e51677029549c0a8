import { Controller, Get, Param, Query } from '@nestjs/common';
import { Operation } from '../../http/openapi/operation.js';
import { PageQuery } from '../../http/validation/paging.js';
import { Rejection, requireFound } from '../../kernel/rejection.js';
import { eventTypeSchema, findEventType, listEventTypes } from '../event-catalogue.js';
import { describeData, eventDataSchema } from './event-schemas.js';

/** Serves the catalogue, which is part of the code and the same for all callers. */
@Controller('v1/webhooks/event-types')
export class EventTypesController {
  @Get()
  @Operation('List event types', eventTypeSchema, {
    first: null,
    about: 'The catalogue is the same for every business.',
  })
  list(@Query() { page, perPage }: PageQuery) {
    const types = listEventTypes();
    const pages = Math.ceil(types.length / perPage);
    const current = Math.min(page, pages);
    return {
      data: types.slice((current - 1) * perPage, current * perPage),
      pagination: { total_pages: pages, current_page: current, per_page: perPage, total_count: types.length },
    };
  }

  @Get(':id')
  @Operation('Retrieve an event type', eventTypeSchema, { about: 'Says whether `*` includes the type.' })
  retrieve(@Param('id') id: string) {
    const data = requireFound(findEventType(id));
    return { data };
  }

  @Get(':id/schema')
  @Operation('Retrieve the schema of an event type', eventDataSchema, {
    about: 'Shows the JSON Schema of the data in events of the type.',
  })
  retrieveSchema(@Param('id') id: string) {
    if (findEventType(id) === null) throw Rejection.notFound();
    return { data: describeData(id) };
  }
}
