import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Views, type PageOf } from '../../engine/reading/views.js';
import type { Context } from '../../kernel/context.js';
import { idIn, type Changes, type Projection } from '../../kernel/projection.js';
import { reference, type Reference } from '../../kernel/reference.js';
import type { BusinessEvent } from '../domain/business.js';

export interface BusinessDocument extends Reference<'business'> {
  readonly name: string;
  readonly owner: Reference<'user'>;
  readonly created_at: string;
}

const on: Changes<BusinessDocument, BusinessEvent> = {
  BusinessCreated: (_, { data, meta }) => ({
    id: data.businessId,
    object: 'business',
    name: data.name,
    owner: reference('user', data.ownerId),
    created_at: meta.at,
  }),
};

export const businesses: Projection<BusinessDocument> = {
  name: 'businesses',
  version: 1,
  indexes: [['owner.id', 'created_at']],
  totals: [['owner.id']],
  id: idIn('businessId'),
  on,
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
