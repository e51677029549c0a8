import { Body, Controller, Delete, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Access } from '../../http/auth/access.js';
import { Ctx } from '../../http/auth/request-context.js';
import { KeyedPost } from '../../http/idempotency/keyed-post.js';
import { Describe } from '../../http/openapi/describe.js';
import { Operation, Rejects } from '../../http/openapi/operation.js';
import { ApiResponse } from '../../http/server/api-response.js';
import { IsTime } from '../../http/validation/date-range.js';
import { PageQuery } from '../../http/validation/paging.js';
import { IsName } from '../../http/validation/validators.js';
import { type CallerContext, requireBusiness, requireUserId } from '../../kernel/caller.js';
import { type Mode, MODES } from '../../kernel/event.js';
import { withSecret } from '../../kernel/schema.js';
import type { KeyWithSecret } from '../api-keys.js';
import { CreateApiKey, RevokeApiKey, RotateApiKey } from '../commands/api-key.commands.js';
import { KEY_ACCESSES, type KeyAccess } from '../domain/api-key.js';
import { apiKeySchema } from '../projections/api-keys.js';
import { ListApiKeys, RetrieveApiKey } from '../queries/api-key.queries.js';

const WEEK_SECONDS = 604_800;

export class CreateApiKeyBody {
  @Describe('The name by which people recognize the key.', 'Reporting')
  @IsName(100)
  name!: string;

  @Describe('Whether the key works with live data or with test data.')
  @IsIn(MODES)
  mode!: Mode;

  @Describe('Whether the key may read and write (`full`) or only read (`read_only`).')
  @IsIn(KEY_ACCESSES)
  access!: KeyAccess;

  @Describe('The time at which the key stops working; null means that it does not expire.', '2099-12-31T23:59:59.000Z')
  @IsOptional()
  @IsTime()
  expires_at?: string | null;
}

export class RotateApiKeyBody {
  @Describe('The time for which the old key still works, in seconds; 0 ends it at once.', 3600)
  @IsInt()
  @Min(0)
  @Max(WEEK_SECONDS)
  overlap_seconds!: number;
}

@Controller('v1/auth/api-keys')
@Access('owner_session')
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @KeyedPost()
  @Operation('Create an API key', withSecret(apiKeySchema, 'secret'), {
    about: 'The secret is in this response alone: the service keeps only its hash.',
  })
  @Rejects('key_limit_reached')
  async create(@Ctx() context: CallerContext, @Body() { name, mode, access, expires_at }: CreateApiKeyBody) {
    const expiresAt = expires_at ? new Date(expires_at).toISOString() : null;
    const options = {
      businessId: requireBusiness(context),
      userId: requireUserId(context),
      name,
      mode,
      access,
      expiresAt,
    };
    return toReply(await this.commands.execute(new CreateApiKey(context, options)));
  }

  @Get()
  @Operation('List API keys', apiKeySchema, { about: 'Shows revoked and expired keys too.' })
  list(@Ctx() context: CallerContext, @Query() paging: PageQuery) {
    return this.queries.execute(new ListApiKeys(context, paging));
  }

  @Get(':id')
  @Operation('Retrieve an API key', apiKeySchema, { about: '`last_used_at` is written once a minute at most.' })
  async retrieve(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.queries.execute(new RetrieveApiKey(context, { id })) };
  }

  @KeyedPost(':id/rotations')
  @Operation('Rotate an API key', withSecret(apiKeySchema, 'secret'), {
    about:
      'The new key has the name, mode, access and expiry of the old one, which works until the overlap has passed.',
  })
  @Rejects('key_ended', 'key_limit_reached')
  async rotate(@Ctx() context: CallerContext, @Param('id') id: string, @Body() body: RotateApiKeyBody) {
    const rotation = { id, overlapSeconds: body.overlap_seconds };
    return toReply(await this.commands.execute(new RotateApiKey(context, rotation)));
  }

  @Delete(':id')
  @Operation('Revoke an API key', apiKeySchema, { about: 'The key stops working at once. The record stays.' })
  async revoke(@Ctx() context: CallerContext, @Param('id') id: string) {
    return { data: await this.commands.execute(new RevokeApiKey(context, { id })) };
  }
}

function toReply({ key, secret }: KeyWithSecret) {
  return secret === null ? { data: key } : ApiResponse.withSecret({ data: key }, { secret });
}
