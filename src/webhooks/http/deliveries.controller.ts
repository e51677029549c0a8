import { Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, Matches } from 'class-validator';
import { ListSlice, Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { IdempotencyKeyRequired } from '../../http/idempotency/idempotency-key.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { removeHiddenFields } from '../../http/server/api-response.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { ClosedSet, CursorQuery, FilterText, MultiValue } from '../../http/validation/paging.js';
import type { CallerContext } from '../../kernel/caller.js';
import { ReplayDelivery } from '../commands/replay.commands.js';
import { REPLAYABLE_STATUSES } from '../domain/replay-job.js';
import { expandEventTypes, listEventTypeFilters } from '../event-catalogue.js';
import {
  deliveries,
  type DeliveryDocument,
  deliverySchema,
  filterByResponseStatus,
  filterByStatus,
  filterByTest,
} from '../projections/deliveries.js';
import { httpMessageSchema, RetrieveRequest, RetrieveResponse } from '../queries/capture.queries.js';
import { deliveryAttemptsSchema, RetrieveAttempts } from '../queries/delivery-chain.queries.js';

const STATUSES = ['success', ...REPLAYABLE_STATUSES];
/** Any three-digit status that a receiver can send, or a class of statuses. */
const RESPONSE_STATUS = /^[1-9](\d\d|xx)$/;

class DeliveriesQuery extends CursorQuery {
  @Describe('Only deliveries to this endpoint.', 'whs_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  endpoint_id?: string;

  @Describe('Only deliveries of this public event.', 'evt_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  event_id?: string;

  @Describe('Only deliveries of events of these types; `community.*` selects all types that begin so.')
  @ClosedSet(listEventTypeFilters)
  event_type?: string[];

  @Describe('Only deliveries with these statuses.')
  @IsOptional()
  @MultiValue()
  @IsIn(STATUSES, { each: true })
  status?: DeliveryDocument['status'][];

  @Describe(
    'Only deliveries whose response has this HTTP status, such as `404`, or a status of this class, such as `4xx`.',
    '4xx',
  )
  @IsOptional()
  @Matches(RESPONSE_STATUS, { message: '$property must be a status such as 404, or a class such as 4xx' })
  response_status?: string;

  @Describe('Only test events (`true`), or no test events (`false`).')
  @IsOptional()
  @IsIn(['true', 'false'])
  test?: string;

  @Describe('Only deliveries whose attempt started at this time or later.')
  @IsOptional()
  @IsDateOrTime()
  created_from?: string;

  @Describe('Only deliveries whose attempt started at this time or earlier; a date means the end of that day (UTC).')
  @IsOptional()
  @IsDateOrTime()
  created_to?: string;

  @Describe('Only replays of this delivery.', 'whd_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  replayed_from?: string;

  @Describe('Only deliveries of this replay job.', 'whj_01kg9p6je0grr0rycz01afc5br')
  @FilterText()
  replay_job_id?: string;
}

@Controller('v1/webhooks/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('List deliveries', deliverySchema, {
    about: 'A delivery is the record of one attempt to send an event to an endpoint.',
  })
  list(@Ctx() context: CallerContext, @Query() query: DeliveriesQuery) {
    const paging = { limit: query.count, after: query.cursor };
    return this.queries.execute(new ListSlice(deliveries, context, paging, toFilter(query)));
  }

  @Get(':delivery_id')
  @Operation('Retrieve a delivery', deliverySchema)
  async retrieve(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.queries.execute(new Retrieve(deliveries, context, id)) };
  }

  @Get(':delivery_id/attempts')
  @Operation('Retrieve the attempts of a delivery', deliveryAttemptsSchema, {
    about: 'Shows all attempts to send this event to this endpoint, and the time of the next one.',
  })
  async listAttempts(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    const { attempts, ...rest } = await this.queries.execute(new RetrieveAttempts(context, { deliveryId: id }));
    return { data: { attempts: attempts.map(removeHiddenFields), ...rest } };
  }

  @Get(':delivery_id/request')
  @Operation('Retrieve the request of a delivery', httpMessageSchema, {
    about:
      'The request can be shown for 30 days. It is built again from the event, so it lacks personal data that were erased since.',
  })
  async retrieveRequest(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.queries.execute(new RetrieveRequest(context, { deliveryId: id })) };
  }

  @Get(':delivery_id/response')
  @Operation('Retrieve the response to a delivery', httpMessageSchema, {
    about: 'The response of the receiver can be shown for 30 days.',
  })
  async retrieveResponse(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.queries.execute(new RetrieveResponse(context, { deliveryId: id })) };
  }

  @KeyedPost(':delivery_id/replay')
  @IdempotencyKeyRequired()
  @Operation('Replay a delivery', deliverySchema, { about: 'Sends the event of the delivery to its endpoint again.' })
  @Rejects('endpoint_disabled', 'delivery_replayed_by_job', 'delivery_in_progress', 'expired', 'attempts_exhausted')
  async replay(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.commands.execute(new ReplayDelivery(context, { deliveryId: id })) };
  }
}

function toFilter(query: DeliveriesQuery) {
  const created = parseDateRange(query.created_from, query.created_to, ['created_from', 'created_to']);
  return {
    ...(query.endpoint_id !== undefined && { 'endpoint.id': query.endpoint_id }),
    ...(query.event_id !== undefined && { event_id: query.event_id }),
    ...(query.event_type && { event_type: { in: expandEventTypes(query.event_type) } }),
    ...(query.status && filterByStatus(query.status)),
    ...(query.response_status !== undefined && filterByResponseStatus(query.response_status)),
    ...(query.test !== undefined && filterByTest(query.test === 'true')),
    ...(created !== null && { created_at: created }),
    ...(query.replayed_from !== undefined && { replayed_from: query.replayed_from }),
    ...(query.replay_job_id !== undefined && { 'replay_job.id': query.replay_job_id }),
  };
}
