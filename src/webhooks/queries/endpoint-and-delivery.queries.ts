import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type PageResult, ReadModelReader, type SliceResult } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { requireOwned, toOwnerFilter } from '../../kernel/ownership.js';
import type { Where } from '../../kernel/read-models.js';
import { deliveries, type DeliveryDocument } from '../projections/deliveries.js';
import { addLastDeliveries, addLastDelivery } from '../projections/endpoint-health.js';
import { type EndpointDocument, endpoints } from '../projections/endpoints.js';

export class RetrieveEndpoint extends Query<EndpointDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@QueryHandler(RetrieveEndpoint)
export class RetrieveEndpointHandler implements IQueryHandler<RetrieveEndpoint> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, id }: RetrieveEndpoint): Promise<EndpointDocument> {
    return addLastDelivery(
      this.reader,
      requireOwned(await this.reader.get(endpoints, id, context.consistency), context),
    );
  }
}

export class ListEndpoints extends Query<PageResult<EndpointDocument>> {
  constructor(
    readonly context: Context,
    readonly paging: { readonly page: number; readonly perPage: number },
  ) {
    super();
  }
}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(private readonly reader: ReadModelReader) {}

  async execute({ context, paging: { page, perPage } }: ListEndpoints): Promise<PageResult<EndpointDocument>> {
    const found = await this.reader.getPage(
      endpoints,
      { where: toOwnerFilter(context), page, perPage },
      context.consistency,
    );
    return { ...found, data: await addLastDeliveries(this.reader, found.data) };
  }
}

/** Lists deliveries, newest first. */
export class ListDeliveries extends Query<SliceResult<DeliveryDocument>> {
  constructor(
    readonly context: Context,
    readonly paging: { readonly limit: number; readonly after: string | null },
    readonly filter: Where,
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ context, paging, filter }: ListDeliveries): Promise<SliceResult<DeliveryDocument>> {
    return this.reader.getSlice(
      deliveries,
      { where: { ...toOwnerFilter(context), ...filter }, ...paging },
      context.consistency,
    );
  }
}
