import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { IdempotencyKeyRequired } from '../../http/idempotency/idempotency-key.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { IsDateOrTime, parseDateRange } from '../../http/validation/date-range.js';
import { IsMetadata } from '../../http/validation/metadata.validator.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsEmailAddresses, OptionalNotNull } from '../../http/validation/validators.js';
import type { CallerContext } from '../../kernel/caller.js';
import { withSecret } from '../../kernel/schema.js';
import {
  CreateEndpoint,
  DeleteEndpoint,
  EditEndpoint,
  type EndpointWithSecret,
  type GivenSettings,
} from '../commands/endpoint.commands.js';
import { RotateSecret } from '../commands/secret-rotation.commands.js';
import { SendTestEvent, testEventSchema } from '../commands/test-event.commands.js';
import { ENDPOINT_STATUSES, type EndpointStatus } from '../domain/endpoint.js';
import { EVERY_TYPE, TEST_TYPE } from '../domain/event-types.js';
import { endpointSchema } from '../projections/endpoints.js';
import { ListEndpoints, RetrieveEndpoint } from '../queries/endpoint.queries.js';
import { endpointStatsSchema, RetrieveEndpointStats, type StatsSelection } from '../queries/endpoint-stats.queries.js';
import { hourlyStatsSchema, RetrieveHourlyStats } from '../queries/hourly-stats.queries.js';
import { IsEndpointUrl, IsEventType, IsEventTypes } from './endpoint-validators.js';
import { describeData } from './event-schemas.js';

const MAX_DESCRIPTION_LENGTH = 500;
const MAX_RATE = 1_000;
const MAX_NOTIFICATION_EMAILS = 5;

class EndpointFields {
  @Describe(
    'The types of the events to receive. `community.*` selects all types that begin so, later ones too; `*` alone, the default of a new endpoint, selects every type that is `included_in_all`.',
  )
  @OptionalNotNull()
  @IsEventTypes()
  event_types?: string[];

  @Describe('A note about the endpoint; null removes it.', 'Orders for the warehouse')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_DESCRIPTION_LENGTH)
  description?: string | null;

  @Describe(
    '`enabled` to receive events, or `disabled` to receive only test events; a new endpoint is enabled by default.',
  )
  @OptionalNotNull()
  @IsIn(ENDPOINT_STATUSES)
  status?: EndpointStatus;

  @Describe('The most attempts that the endpoint gets in one second; null means the limit of the service.', 10)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RATE)
  rate_limit_per_second?: number | null;

  @Describe(
    'The e-mail addresses that get a mail when the endpoint keeps failing or was disabled for that, beside the owner of the business. A repeated address counts once; an empty list removes all.',
    ['oncall@example.com'],
  )
  @OptionalNotNull()
  @IsEmailAddresses(MAX_NOTIFICATION_EMAILS)
  notification_emails?: string[];

  @OptionalNotNull()
  @IsMetadata()
  metadata?: Record<string, unknown>;
}

class CreateEndpointBody extends EndpointFields {
  @IsEndpointUrl()
  url!: string;
}

class EditEndpointBody extends EndpointFields {
  @OptionalNotNull()
  @IsEndpointUrl()
  url?: string;
}

class StatsQuery {
  @Describe(
    'The statistics count from the start of this hour (UTC). The default is 30 days ago, and 7 days ago for statistics hour by hour, which reach back 31 days at most.',
  )
  @IsOptional()
  @IsDateOrTime()
  since?: string;
}

class SendTestEventBody {
  @Describe('The type whose example is sent; the default is `webhook.test`.')
  @OptionalNotNull()
  @IsEventType()
  event_type?: string;
}

const DEFAULTS = {
  eventTypes: [EVERY_TYPE],
  description: null,
  rateLimitPerSecond: null,
  notificationEmails: [],
  metadata: {},
};

@Controller('v1/webhooks/endpoints')
export class EndpointsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create an endpoint', withSecret(endpointSchema, 'signing_secret'), {
    about:
      'An enabled endpoint receives the public events of its types from then on. The response has the secret that signs them.',
  })
  @Rejects('url_not_allowed', 'event_type_unknown', 'event_type_closed', 'endpoint_limit_reached')
  async create(@Ctx() context: CallerContext, @Body() body: CreateEndpointBody) {
    const settings = { ...DEFAULTS, url: body.url, ...toSettings(body) };
    return toReply(
      await this.commands.execute(new CreateEndpoint(context, { settings, status: body.status ?? 'enabled' })),
    );
  }

  @Get()
  @Operation('List endpoints', endpointSchema)
  list(@Ctx() context: CallerContext, @Query() query: PageQuery) {
    return this.queries.execute(new ListEndpoints(context, query));
  }

  @Get(':id')
  @Operation('Retrieve an endpoint', endpointSchema)
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveEndpoint(context, { id })) };
  }

  @Get(':id/stats')
  @Operation('Retrieve the statistics of an endpoint', endpointStatsSchema)
  async retrieveStats(@Ctx() context: CallerContext, @Param('id') id: string, @Query() { since }: StatsQuery) {
    return { data: await this.queries.execute(new RetrieveEndpointStats(context, toSelection(id, since))) };
  }

  @Get(':id/hourly-stats')
  @Operation('Retrieve the statistics of an endpoint hour by hour', hourlyStatsSchema)
  async retrieveHourlyStats(@Ctx() context: CallerContext, @Param('id') id: string, @Query() { since }: StatsQuery) {
    return { data: await this.queries.execute(new RetrieveHourlyStats(context, toSelection(id, since))) };
  }

  @Patch(':id')
  @Operation('Edit an endpoint', endpointSchema, {
    about:
      'Changes the fields that the body contains. A disabled endpoint misses new events, and its retries are dropped.',
  })
  @Rejects('url_not_allowed', 'event_type_unknown', 'event_type_closed')
  async edit(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: EditEndpointBody) {
    const edit = { id, changes: toSettings(body), status: body.status ?? null };
    return { data: await this.commands.execute(new EditEndpoint(context, edit)) };
  }

  @Delete(':id')
  @Operation('Delete an endpoint', endpointSchema, {
    about: 'Its deliveries can still be read, but no longer replayed.',
  })
  async delete(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new DeleteEndpoint(context, { id })) };
  }

  @KeyedPost(':id/secret-rotations')
  @Access('secret_key')
  @IdempotencyKeyRequired()
  @Operation('Rotate the secret of an endpoint', withSecret(endpointSchema, 'signing_secret'), {
    about: 'Every attempt that starts later is signed with the new secret.',
  })
  async rotateSecret(@Ctx() context: CallerContext, @Param('id') id: string) {
    return toReply(await this.commands.execute(new RotateSecret(context, { endpointId: id })));
  }

  @KeyedPost(':id/test-events')
  @HttpCode(201)
  @IdempotencyKeyRequired()
  @Operation('Send a test event', testEventSchema, {
    about: 'Sends an event with example data to this endpoint alone, also while it is disabled.',
  })
  async sendTestEvent(
    @Ctx() context: CallerContext,
    @Param('id') id: string,
    @Body() { event_type: type = TEST_TYPE }: SendTestEventBody,
  ) {
    const sample = type === TEST_TYPE ? null : { type, data: describeData(type).examples[0] };
    return { data: await this.commands.execute(new SendTestEvent(context, { endpointId: id, sample })) };
  }
}

/** Returns only the settings that the body contains. Repeated event types are removed. */
function toSettings({
  url,
  event_types,
  description,
  rate_limit_per_second,
  notification_emails,
  metadata,
}: EditEndpointBody): Partial<GivenSettings> {
  return {
    ...(url !== undefined && { url }),
    ...(event_types !== undefined && { eventTypes: [...new Set(event_types)] }),
    ...(description !== undefined && { description }),
    ...(rate_limit_per_second !== undefined && { rateLimitPerSecond: rate_limit_per_second }),
    ...(notification_emails !== undefined && { notificationEmails: notification_emails }),
    ...(metadata !== undefined && { metadata }),
  };
}

function toReply({ document, secret }: EndpointWithSecret) {
  return secret === null ? { data: document } : ApiResponse.withSecret({ data: document }, { signing_secret: secret });
}

function toSelection(endpointId: string, since: string | undefined): StatsSelection {
  return { endpointId, since: parseDateRange(since, undefined, ['since', 'since'])?.from ?? null };
}
