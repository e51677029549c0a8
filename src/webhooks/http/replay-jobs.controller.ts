import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsIn, IsOptional, IsString } from 'class-validator';
import { ListSlice, Retrieve } from '../../engine/read-models/queries.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { IsDateOrTime } from '../../http/validation/date-range.js';
import { CursorQuery } from '../../http/validation/paging.js';
import { IsDeclared, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import {
  CancelReplayJob,
  ForecastReplayJob,
  replayForecastSchema,
  RequestReplayJob,
} from '../commands/replay-job.commands.js';
import {
  REPLAY_SCOPES,
  REPLAYABLE_STATUSES,
  type ReplayableStatus,
  type ReplayScope,
  type ReplayWindow,
} from '../domain/replay-job.js';
import { listEventTypeFilters } from '../event-catalogue.js';
import { replayJobs, replayJobSchema } from '../projections/replay-jobs.js';
import { parseWindow } from './replay-window.js';

const MAX_EVENT_TYPES = 100;

class RequestReplayJobBody {
  @Describe(
    'Which events to send: those without a success (`failed`, the default), with one (`succeeded`), both (`all`), or those for which the endpoint has no delivery (`never_planned`), because it did not exist, was disabled or did not subscribe to their type then. `never_planned` needs `endpoint_id`.',
  )
  @OptionalNotNull()
  @IsIn(REPLAY_SCOPES)
  scope?: ReplayScope;

  @Describe('The start of the time window (inclusive). It may be before the first event.')
  @IsDateOrTime()
  created_from!: string;

  @Describe('The end of the time window (inclusive); the default is now. A date means the end of that day (UTC).')
  @OptionalNotNull()
  @IsDateOrTime()
  created_to?: string;

  @Describe(
    'The endpoint whose delivery chains are selected; null selects those of all endpoints of the business.',
    'whs_01kg9p6je0grr0rycz01afc5br',
  )
  @IsOptional()
  @IsString()
  endpoint_id?: string | null;

  @Describe(
    'The types of the selected events; `community.*` selects all types that begin so, and the default is every type.',
  )
  @OptionalNotNull()
  @IsArray()
  @ArrayMaxSize(MAX_EVENT_TYPES)
  @IsDeclared(listEventTypeFilters, { each: true })
  event_types?: string[];

  @Describe(
    'The statuses of the last deliveries of the selected chains, only for the scope `failed`; the default is both.',
  )
  @OptionalNotNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(REPLAYABLE_STATUSES.length)
  @IsIn(REPLAYABLE_STATUSES, { each: true })
  statuses?: ReplayableStatus[];

  @Describe(
    'Whether to select also events for which no attempt was made, because their endpoint was disabled; only for the scopes `failed` and `all`. The default is false.',
  )
  @OptionalNotNull()
  @IsBoolean()
  include_missed?: boolean;

  @Describe('Whether to return only what the job would do, and to store and send nothing. The default is false.')
  @OptionalNotNull()
  @IsBoolean()
  dry_run?: boolean;
}

@Controller('v1/webhooks/replay-jobs')
export class ReplayJobsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create a replay job', replayJobSchema, {
    also: { status: 200, resource: replayForecastSchema },
    about:
      'Sends again the events of a time window that endpoints did not receive. With `dry_run` it only counts them: 200.',
  })
  @Rejects('replay_job_conflict', 'window_too_large')
  async create(@Ctx() context: CallerContext, @Body() body: RequestReplayJobBody) {
    const window = toWindow(body, context.at);
    if (body.dry_run === true)
      return new ApiResponse(200, { data: await this.commands.execute(new ForecastReplayJob(context, window)) });
    return { data: await this.commands.execute(new RequestReplayJob(context, window)) };
  }

  @Get()
  @Operation('List replay jobs', replayJobSchema)
  list(@Ctx() context: CallerContext, @Query() { count: limit, cursor: after }: CursorQuery) {
    return this.queries.execute(new ListSlice(replayJobs, context, { limit, after }));
  }

  @Get(':id')
  @Operation('Retrieve a replay job', replayJobSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new Retrieve(replayJobs, context, id)) };
  }

  @KeyedPost(':id/cancel')
  @HttpCode(200)
  @Operation('Cancel a replay job', replayJobSchema, {
    about: 'Open attempts end, and the events that were not sent again yet are skipped.',
  })
  @Rejects('replay_job_finished')
  async cancel(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new CancelReplayJob(context, { id })) };
  }
}

/** A window without an upper end ends at the time of the request. */
function toWindow(body: RequestReplayJobBody, nowMs: number): ReplayWindow {
  const { scope = 'failed' } = body;
  assertFits(body, scope);
  return {
    scope,
    ...parseWindow(body.created_from, body.created_to, nowMs),
    endpointId: body.endpoint_id ?? null,
    eventTypes: [...new Set(body.event_types)],
    statuses: scope === 'failed' ? [...new Set(body.statuses ?? REPLAYABLE_STATUSES)] : [],
    includeMissed: body.include_missed ?? false,
  };
}

/** @throws Rejection 422 for a field that the scope needs or does not have */
function assertFits({ endpoint_id, statuses, include_missed }: RequestReplayJobBody, scope: ReplayScope): void {
  if (scope === 'never_planned' && (endpoint_id ?? null) === null)
    throw Rejection.ofField('endpoint_id', 'required', 'The scope "never_planned" needs an endpoint.');
  if (scope !== 'failed' && statuses !== undefined)
    throw Rejection.ofField('statuses', 'invalid_value', 'Only the scope "failed" has statuses.');
  if (scope !== 'failed' && scope !== 'all' && include_missed === true)
    throw Rejection.ofField(
      'include_missed',
      'invalid_value',
      `The scope "${scope}" does not select by missed events.`,
    );
}
