import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { Retrieve } from '../../engine/reading/queries.js';
import { withoutHidden } from '../../http/answer.js';
import { Ctx } from '../../http/context.js';
import type { CallerContext } from '../../identity/caller.js';
import { IsDateOrTime, rangeOf } from '../../http/date-range.js';
import { IdempotencyKeyRequired } from '../../http/idempotency-key.js';
import { CursorQuery, Several } from '../../http/paging.js';
import { Operation, Refuses } from '../../http/openapi/operation.js';
import type { Condition, Where } from '../../kernel/read-models.js';
import { ReplayDelivery } from '../commands/replay.commands.js';
import { EVENT_TYPE_IDS } from '../domain/event-types.js';
import { RetrieveRequest, RetrieveResponse } from '../projections/capture.queries.js';
import { RetrieveAttempts } from '../projections/chain.queries.js';
import { deliveries } from '../projections/deliveries.js';
import { ListDeliveries } from '../projections/queries.js';
import { delivery, deliveryAttempts, message } from './deliveries.shape.js';

const STATUSES = ['success', 'failed', 'abandoned'];
/** A status as a receiver may send it, known or not, or a class of them. */
const RESPONSE_STATUS = /^[1-9](\d\d|xx)$/;

class DeliveriesQuery extends CursorQuery {
  @IsOptional()
  @IsString()
  endpoint_id?: string;

  @IsOptional()
  @IsString()
  event_id?: string;

  @IsOptional()
  @Several()
  @IsIn(EVENT_TYPE_IDS, { each: true })
  event_type?: string[];

  @IsOptional()
  @Several()
  @IsIn(STATUSES, { each: true })
  status?: string[];

  @IsOptional()
  @Matches(RESPONSE_STATUS)
  response_status?: string;

  @IsOptional()
  @IsIn(['true', 'false'])
  test?: string;

  @IsOptional()
  @IsDateOrTime()
  created_from?: string;

  @IsOptional()
  @IsDateOrTime()
  created_to?: string;

  @IsOptional()
  @IsString()
  replayed_from?: string;

  @IsOptional()
  @IsString()
  replay_job_id?: string;
}

@Controller('v1/webhooks/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Operation('List deliveries', delivery)
  list(@Ctx() context: CallerContext, @Query() query: DeliveriesQuery) {
    return this.queries.execute(new ListDeliveries(context, { limit: query.count, after: query.cursor }, filterOf(query)));
  }

  @Get(':delivery_id')
  @Operation('Retrieve a delivery', delivery)
  async retrieve(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.queries.execute(new Retrieve(deliveries, context, id)) };
  }

  @Get(':delivery_id/attempts')
  @Operation('Retrieve the attempts of a delivery', deliveryAttempts)
  async attempts(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    const { attempts, ...rest } = await this.queries.execute(new RetrieveAttempts(context, id));
    return { data: { attempts: attempts.map(withoutHidden), ...rest } };
  }

  @Get(':delivery_id/request')
  @Operation('Retrieve the request of a delivery', message)
  async request(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.queries.execute(new RetrieveRequest(context, id)) };
  }

  @Get(':delivery_id/response')
  @Operation('Retrieve the response to a delivery', message)
  async response(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.queries.execute(new RetrieveResponse(context, id)) };
  }

  @Post(':delivery_id/replay')
  @IdempotencyKeyRequired()
  @Operation('Replay a delivery', delivery)
  @Refuses('endpoint_disabled', 'delivery_replayed_by_job', 'delivery_in_progress', 'expired', 'attempts_exhausted')
  async replay(@Ctx() context: CallerContext, @Param('delivery_id') id: string) {
    return { data: await this.commands.execute(new ReplayDelivery(context, id)) };
  }
}

function filterOf(query: DeliveriesQuery): Where {
  const conditions: Readonly<Record<string, Condition | null | undefined>> = {
    'endpoint.id': query.endpoint_id,
    event_id: query.event_id,
    event_type: query.event_type && { in: query.event_type },
    status: query.status && { in: query.status },
    response_status: query.response_status === undefined ? undefined : responseStatus(query.response_status),
    test: query.test === undefined ? undefined : query.test === 'true',
    created_at: rangeOf(query.created_from, query.created_to, ['created_from', 'created_to']),
    replayed_from: query.replayed_from,
    'replay_job.id': query.replay_job_id,
  };
  return Object.fromEntries(Object.entries(conditions).filter(([, condition]) => condition !== undefined && condition !== null)) as Where;
}

function responseStatus(asked: string): Condition {
  if (!asked.endsWith('xx')) return Number(asked);
  const first = Number(asked[0]) * 100;
  return { from: first, to: first + 99 };
}
