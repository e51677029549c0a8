import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { Retrieve } from '../../engine/reading/queries.js';
import { Answer } from '../../http/answer.js';
import { Ctx } from '../../http/context.js';
import { IsDateOrTime } from '../../http/date-range.js';
import { MayBeAbsent } from '../../http/fields.js';
import { Operation, Refuses } from '../../http/openapi/operation.js';
import { CursorQuery } from '../../http/paging.js';
import type { CallerContext } from '../../identity/caller.js';
import { CancelReplayJob, ForecastReplayJob, RequestReplayJob } from '../commands/replay-job.commands.js';
import { EVENT_TYPES } from '../domain/event-types.js';
import type { ReplayedStatus, ReplayWindow } from '../domain/replay-job.js';
import { ListReplayJobs } from '../projections/replay-job-queries.js';
import { replayJobs } from '../projections/replay-jobs.js';
import { replayForecast, replayJob } from './replay-jobs.shape.js';
import { windowOf } from './replay-window.js';

const STATUSES: readonly ReplayedStatus[] = ['failed', 'abandoned'];
const EVENT_TYPE_IDS = EVENT_TYPES.map(({ id }) => id);
const MAX_EVENT_TYPES = 100;

class RequestReplayJobBody {
  @IsDateOrTime()
  created_from!: string;

  @MayBeAbsent()
  @IsDateOrTime()
  created_to?: string;

  @IsOptional()
  @IsString()
  endpoint_id?: string | null;

  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(MAX_EVENT_TYPES)
  @IsIn(EVENT_TYPE_IDS, { each: true })
  event_types?: string[];

  @MayBeAbsent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(STATUSES.length)
  @IsIn(STATUSES, { each: true })
  statuses?: ReplayedStatus[];

  @MayBeAbsent()
  @IsBoolean()
  include_missed?: boolean;

  @MayBeAbsent()
  @IsBoolean()
  dry_run?: boolean;
}

@Controller('v1/webhooks/replay-jobs')
export class ReplayJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Operation('Create a replay job', replayJob, { also: { status: 200, answer: replayForecast } })
  @Refuses('replay_job_conflict', 'window_too_large')
  async create(@Ctx() context: CallerContext, @Body() body: RequestReplayJobBody) {
    const window = askedIn(body, context.at);
    if (body.dry_run === true) return new Answer(200, { data: await this.commands.execute(new ForecastReplayJob(context, window)) });
    return { data: await this.commands.execute(new RequestReplayJob(context, window)) };
  }

  @Get()
  @Operation('List replay jobs', replayJob)
  list(@Ctx() context: CallerContext, @Query() { count: limit, cursor: after }: CursorQuery) {
    return this.queries.execute(new ListReplayJobs(context, { limit, after }));
  }

  @Get(':id')
  @Operation('Retrieve a replay job', replayJob)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(replayJobs, context, id)) };
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @Operation('Cancel a replay job', replayJob)
  @Refuses('replay_job_finished')
  async cancel(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new CancelReplayJob(context, id)) };
  }
}

/** A window without an upper end ends at the time of the request. */
function askedIn(body: RequestReplayJobBody, nowMs: number): ReplayWindow {
  return {
    ...windowOf(body.created_from, body.created_to, nowMs),
    endpointId: body.endpoint_id ?? null,
    eventTypes: [...new Set(body.event_types)],
    statuses: [...new Set(body.statuses ?? STATUSES)],
    includeMissed: body.include_missed ?? false,
  };
}
