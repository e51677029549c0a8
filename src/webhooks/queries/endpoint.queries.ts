import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import { type EndpointDocument, endpoints } from '../projections/endpoints.js';
import { EndpointRecords } from './endpoint-records.js';

export class RetrieveEndpoint extends ContextQuery<{ id: string }, EndpointDocument> {}

@QueryHandler(RetrieveEndpoint)
export class RetrieveEndpointHandler implements IQueryHandler<RetrieveEndpoint> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly records: EndpointRecords,
  ) {}

  async execute({ context, params: { id } }: RetrieveEndpoint): Promise<EndpointDocument> {
    return this.records.complete(await this.reader.getOwned(endpoints, id, context));
  }
}

export class ListEndpoints extends ContextQuery<Paging, PageResult<EndpointDocument>> {}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(
    private readonly reader: ReadModelReader,
    private readonly records: EndpointRecords,
  ) {}

  async execute({ context, params: { page, perPage } }: ListEndpoints): Promise<PageResult<EndpointDocument>> {
    const request = { where: toOwnerFilter(context), page, perPage };
    const found = await this.reader.getPage(endpoints, request, context.consistency);
    return { ...found, data: await this.records.completeAll(found.data) };
  }
}

export const endpointQueryHandlers = [RetrieveEndpointHandler, ListEndpointsHandler];
