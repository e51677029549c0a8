import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import type { Mode } from '../../kernel/event.js';
import { type Changes, pickId, type Projection } from '../../kernel/projection.js';
import { type Reference, toReference } from '../../kernel/reference.js';
import { Rejection } from '../../kernel/rejection.js';
import { ApiKeyUsage } from '../api-key-usage.js';
import type { ApiKeyEvent, KeyAccess } from '../domain/api-key.js';

export interface ApiKeyDocument extends Reference<'api_key'> {
  readonly name: string;
  readonly mode: Mode;
  readonly access: KeyAccess;
  readonly business: Reference<'business'>;
  readonly user: Reference<'user'>;
  readonly prefix: string;
  readonly last4: string;
  readonly created_at: string;
  /** Null in the projection. `ApiKeyUsage` adds the value. */
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

const on: Changes<ApiKeyDocument, ApiKeyEvent> = {
  ApiKeyCreated: (_, { data, meta }) => ({
    id: data.keyId,
    object: 'api_key',
    name: data.name,
    mode: data.mode,
    access: data.access,
    business: toReference('business', data.businessId),
    user: toReference('user', data.userId),
    prefix: data.prefix,
    last4: data.last4,
    created_at: meta.at,
    last_used_at: null,
    expires_at: data.expiresAt,
    revoked_at: null,
  }),
  ApiKeyRotated: (key, { data }) => key && { ...key, expires_at: data.endsAt },
  ApiKeyRevoked: (key, { meta }) => key && { ...key, revoked_at: meta.at },
};

export const apiKeys: Projection<ApiKeyDocument> = {
  name: 'apiKeys',
  version: 2,
  indexes: [['business.id', 'created_at']],
  totals: [['business.id']],
  id: pickId('keyId'),
  on,
};

export class ListApiKeys extends Query<PageResult<ApiKeyDocument>> {
  constructor(
    readonly context: Context,
    readonly page: number,
    readonly perPage: number,
  ) {
    super();
  }
}

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(
    private readonly views: ReadModelReader,
    private readonly usage: ApiKeyUsage,
  ) {}

  async execute({ context, page, perPage }: ListApiKeys): Promise<PageResult<ApiKeyDocument>> {
    const where = { 'business.id': context.business };
    const { data, pagination } = await this.views.getPage(apiKeys, { where, page, perPage }, context.consistency);
    return { data: await this.usage.withLastUsed(data), pagination };
  }
}

export class RetrieveApiKey extends Query<ApiKeyDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(RetrieveApiKey)
export class RetrieveApiKeyHandler implements IQueryHandler<RetrieveApiKey> {
  constructor(
    private readonly views: ReadModelReader,
    private readonly usage: ApiKeyUsage,
  ) {}

  async execute({ context, id }: RetrieveApiKey): Promise<ApiKeyDocument> {
    const key = await this.views.get(apiKeys, id, context.consistency);
    if (key === null || key.business.id !== context.business) throw Rejection.notFound();
    return (await this.usage.withLastUsed([key]))[0]!;
  }
}
