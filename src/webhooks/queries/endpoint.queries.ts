import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { toOwnerFilter } from '../../kernel/ownership.js';
import { endpointHealth } from '../projections/endpoint-health.js';
import { type EndpointDocument, endpoints } from '../projections/endpoints.js';

export class RetrieveEndpoint extends ContextQuery<{ id: string }, EndpointDocument> {}

@QueryHandler(RetrieveEndpoint)
export class RetrieveEndpointHandler implements IQueryHandler<RetrieveEndpoint> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, params: { id } }: RetrieveEndpoint): Promise<EndpointDocument> {
    return addLastDelivery(this.reader, await this.reader.getOwned(endpoints, id, context));
  }
}

export class ListEndpoints extends ContextQuery<Paging, PageResult<EndpointDocument>> {}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, params: { page, perPage } }: ListEndpoints): Promise<PageResult<EndpointDocument>> {
    const request = { where: toOwnerFilter(context), page, perPage };
    const found = await this.reader.getPage(endpoints, request, context.consistency);
    return { ...found, data: await addLastDeliveries(this.reader, found.data) };
  }
}

type LastDelivery = Pick<EndpointDocument, 'last_success_at' | 'last_failure_at'>;

/** Adds the times of the last deliveries to the endpoint. These times may be stale. */
export async function addLastDelivery(reader: ReadModelReader, document: EndpointDocument): Promise<EndpointDocument> {
  return { ...document, ...(await findLastDelivery(reader, document.id)) };
}

/** Returns an empty object when the endpoint has no delivery. */
export async function findLastDelivery(reader: ReadModelReader, endpointId: string): Promise<Partial<LastDelivery>> {
  const health = await reader.getExisting(endpointHealth, [endpointId]);
  return toLastDelivery(health.get(endpointId));
}

/** Does not wait for missing documents, because most endpoints of a page may have no delivery. */
async function addLastDeliveries(
  reader: ReadModelReader,
  documents: readonly EndpointDocument[],
): Promise<EndpointDocument[]> {
  const ids = documents.map(({ id }) => id);
  const health = await reader.getExisting(endpointHealth, ids);
  return documents.map((document) => ({ ...document, ...toLastDelivery(health.get(document.id)) }));
}

function toLastDelivery(health: LastDelivery | undefined): Partial<LastDelivery> {
  return health === undefined
    ? {}
    : { last_success_at: health.last_success_at, last_failure_at: health.last_failure_at };
}

export const endpointQueryHandlers = [RetrieveEndpointHandler, ListEndpointsHandler];
