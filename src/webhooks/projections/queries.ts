import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Views, type PageOf, type SliceOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { own, ownedBy } from '../../kernel/ownership.js';
import type { Where } from '../../kernel/read-models.js';
import { deliveries, type DeliveryDocument } from './deliveries.js';
import { allWithActivity, withActivity } from './endpoint-activity.js';
import { endpoints, type EndpointDocument } from './endpoints.js';

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
  constructor(private readonly views: Views) {}

  async execute({ context, id }: RetrieveEndpoint): Promise<EndpointDocument> {
    return withActivity(this.views, own(await this.views.get(endpoints, id, context.progress), context));
  }
}

export class ListEndpoints extends Query<PageOf<EndpointDocument>> {
  constructor(
    readonly context: Context,
    readonly paging: { readonly page: number; readonly perPage: number },
  ) {
    super();
  }
}

@QueryHandler(ListEndpoints)
export class ListEndpointsHandler implements IQueryHandler<ListEndpoints> {
  constructor(private readonly views: Views) {}

  async execute({ context, paging: { page, perPage } }: ListEndpoints): Promise<PageOf<EndpointDocument>> {
    const found = await this.views.page(endpoints, { where: ownedBy(context), page, perPage }, context.progress);
    return { ...found, data: await allWithActivity(this.views, found.data) };
  }
}

/** Lists deliveries, newest first. */
export class ListDeliveries extends Query<SliceOf<DeliveryDocument>> {
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
  constructor(private readonly views: Views) {}

  execute({ context, paging, filter }: ListDeliveries): Promise<SliceOf<DeliveryDocument>> {
    return this.views.slice(deliveries, { where: { ...ownedBy(context), ...filter }, ...paging }, context.progress);
  }
}
