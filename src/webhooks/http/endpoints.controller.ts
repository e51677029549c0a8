import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Access } from '../../http/access.js';
import { Answer } from '../../http/answer.js';
import { Ctx } from '../../http/context.js';
import { IsDateOrTime, rangeOf } from '../../http/date-range.js';
import { MayBeAbsent } from '../../http/fields.js';
import type { CallerContext } from '../../identity/caller.js';
import { IdempotencyKeyRequired } from '../../http/idempotency-key.js';
import { IsMetadata } from '../../http/metadata.js';
import { PageQuery } from '../../http/paging.js';
import { Operation, Refuses } from '../../http/openapi/operation.js';
import { withSecret } from '../../kernel/schema.js';
import { CreateEndpoint, DeleteEndpoint, EditEndpoint, type EndpointWithSecret } from '../commands/endpoint.commands.js';
import { RotateSecret } from '../commands/rotation.commands.js';
import { SendTestEvent } from '../commands/test-event.commands.js';
import type { EndpointSettings, EndpointStatus } from '../domain/endpoint.js';
import { EVERY_TYPE, TEST_TYPE } from '../domain/event-types.js';
import { ListEndpoints, RetrieveEndpoint } from '../projections/queries.js';
import { RetrieveEndpointStats } from '../projections/stats.query.js';
import { IsEndpointUrl, IsEventType, IsEventTypes } from './endpoint-rules.js';
import { endpoint, endpointStats, testEvent } from './endpoints.shape.js';
import { EventSchemas } from './event-schemas.js';

const DESCRIPTION_CHARACTERS = 500;
const MAX_RATE = 1_000;

class EndpointFields {
  @MayBeAbsent()
  @IsEventTypes()
  event_types?: string[];

  @IsOptional()
  @IsString()
  @MaxLength(DESCRIPTION_CHARACTERS)
  description?: string | null;

  @MayBeAbsent()
  @IsIn(['enabled', 'disabled'])
  status?: EndpointStatus;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RATE)
  rate_limit_per_second?: number | null;

  @MayBeAbsent()
  @IsMetadata()
  metadata?: Record<string, unknown>;
}

class CreateEndpointBody extends EndpointFields {
  @IsEndpointUrl()
  url!: string;
}

class EditEndpointBody extends EndpointFields {
  @MayBeAbsent()
  @IsEndpointUrl()
  url?: string;
}

const SINCE = 'The statistics count from the start of this hour (UTC). The default is the last 30 days.';

class StatsQuery {
  @IsOptional()
  @IsDateOrTime({ description: SINCE })
  since?: string;
}

class SendTestEventBody {
  @MayBeAbsent()
  @IsEventType()
  event_type?: string;
}

const DEFAULTS = { eventTypes: [EVERY_TYPE], description: null, rateLimitPerSecond: null, metadata: {} };

@Controller('v1/webhooks/endpoints')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly schemas: EventSchemas,
  ) {}

  @Post()
  @Operation('Create an endpoint', withSecret(endpoint, 'signing_secret'))
  @Refuses('url_not_allowed', 'event_type_unknown', 'event_type_closed', 'endpoint_limit_reached')
  async create(@Ctx() context: CallerContext, @Body() body: CreateEndpointBody) {
    const settings = { ...DEFAULTS, url: body.url, ...settingsOf(body) };
    return told(await this.commands.execute(new CreateEndpoint(context, settings, body.status ?? 'enabled')));
  }

  @Get()
  @Operation('List endpoints', endpoint)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListEndpoints(context, query));
  }

  @Get(':id')
  @Operation('Retrieve an endpoint', endpoint)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveEndpoint(context, id)) };
  }

  @Get(':id/stats')
  @Operation('Retrieve the statistics of an endpoint', endpointStats)
  async stats(@Ctx() context: CallerContext, @Param('id') id: string, @Query() { since }: StatsQuery) {
    const from = rangeOf(since, undefined, ['since', 'since'])?.from ?? null;
    return { data: await this.queries.execute(new RetrieveEndpointStats(context, id, from)) };
  }

  @Patch(':id')
  @Operation('Edit an endpoint', endpoint)
  @Refuses('url_not_allowed', 'event_type_unknown', 'event_type_closed')
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: EditEndpointBody) {
    return { data: await this.commands.execute(new EditEndpoint(context, id, settingsOf(body), body.status ?? null)) };
  }

  @Delete(':id')
  @Operation('Delete an endpoint', endpoint)
  async delete(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new DeleteEndpoint(context, id)) };
  }

  @Post(':id/secret-rotations')
  @Access('secret_key')
  @IdempotencyKeyRequired()
  @Operation('Rotate the secret of an endpoint', withSecret(endpoint, 'signing_secret'))
  async rotate(@Ctx() context: CallerContext, @Param('id') id: string) {
    return told(await this.commands.execute(new RotateSecret(context, id)));
  }

  @Post(':id/test-events')
  @HttpCode(201)
  @IdempotencyKeyRequired()
  @Operation('Send a test event', testEvent)
  async test(@Ctx() context: CallerContext, @Param('id') id: string, @Body() { event_type: type = TEST_TYPE }: SendTestEventBody) {
    const sample = type === TEST_TYPE ? null : { type, data: this.schemas.of(type).examples[0] };
    return { data: await this.commands.execute(new SendTestEvent(context, id, sample)) };
  }
}

/** Returns only the settings that the body contains. Repeated event types are removed. */
function settingsOf({ url, event_types, description, rate_limit_per_second, metadata }: EditEndpointBody): Partial<EndpointSettings> {
  return {
    ...(url !== undefined && { url }),
    ...(event_types !== undefined && { eventTypes: [...new Set(event_types)] }),
    ...(description !== undefined && { description }),
    ...(rate_limit_per_second !== undefined && { rateLimitPerSecond: rate_limit_per_second }),
    ...(metadata !== undefined && { metadata }),
  };
}

function told({ document, secret }: EndpointWithSecret) {
  return secret === null ? { data: document } : Answer.withSecret({ data: document }, { signing_secret: secret });
}
