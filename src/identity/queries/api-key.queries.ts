import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { requireOfBusiness } from '../../kernel/caller.js';
import { ApiKeyUsage } from '../api-key-usage.js';
import { type ApiKeyDocument, apiKeys } from '../projections/api-keys.js';

export class ListApiKeys extends ContextQuery<Paging, PageResult<ApiKeyDocument>> {}

@QueryHandler(ListApiKeys)
export class ListApiKeysHandler implements IQueryHandler<ListApiKeys> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly usage: ApiKeyUsage,
  ) {}

  async execute({ context, params: { page, perPage } }: ListApiKeys): Promise<PageResult<ApiKeyDocument>> {
    const where = { 'business.id': context.business };
    const { data, pagination } = await this.reader.getPage(apiKeys, { where, page, perPage }, context.consistency);
    return { data: await this.usage.withLastUsed(data), pagination };
  }
}

export class RetrieveApiKey extends ContextQuery<{ id: string }, ApiKeyDocument> {}

@QueryHandler(RetrieveApiKey)
export class RetrieveApiKeyHandler implements IQueryHandler<RetrieveApiKey> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly usage: ApiKeyUsage,
  ) {}

  async execute({ context, params: { id } }: RetrieveApiKey): Promise<ApiKeyDocument> {
    const found = await this.reader.get(apiKeys, id, context.consistency);
    const key = requireOfBusiness(found, found?.business.id, context);
    return (await this.usage.withLastUsed([key]))[0]!;
  }
}
