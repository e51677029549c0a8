import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Views, type PageOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { idIn, type Projection } from '../../kernel/projection.js';
import type { BusinessEvent } from '../domain/business.js';

export interface BusinessDocument {
  readonly id: string;
  readonly object: 'business';
  readonly name: string;
  readonly owner: { readonly object: 'user'; readonly id: string };
  readonly created_at: string;
}

export const businesses: Projection<BusinessDocument> = {
  name: 'businesses',
  version: 1,
  indexes: [['owner.id', 'created_at']],
  totals: [['owner.id']],
  id: idIn('businessId'),
  on: {
    BusinessCreated: (_, { data, meta }: Recorded<string, BusinessEvent['data']>) => ({
      id: data.businessId,
      object: 'business',
      name: data.name,
      owner: { object: 'user', id: data.ownerId },
      created_at: meta.at,
    }),
  },
};

export class ListBusinesses extends Query<PageOf<BusinessDocument>> {
  constructor(
    readonly context: Context,
    readonly ownerId: string,
    readonly page: number,
    readonly perPage: number,
  ) {
    super();
  }
}

@QueryHandler(ListBusinesses)
export class ListBusinessesHandler implements IQueryHandler<ListBusinesses> {
  constructor(private readonly views: Views) {}

  execute({ context, ownerId, page, perPage }: ListBusinesses) {
    return this.views.page(businesses, { where: { 'owner.id': ownerId }, page, perPage }, context.progress);
  }
}
