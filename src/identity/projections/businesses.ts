import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { Context } from '../../kernel/context.js';
import { type Changes, pickId, type Projection } from '../../kernel/projection.js';
import { type Reference, toReference } from '../../kernel/reference.js';
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
    owner: toReference('user', data.ownerId),
    created_at: meta.at,
  }),
};

export const businesses: Projection<BusinessDocument> = {
  name: 'businesses',
  version: 1,
  indexes: [['owner.id', 'created_at']],
  totals: [['owner.id']],
  id: pickId('businessId'),
  on,
};

export class ListBusinesses extends Query<PageResult<BusinessDocument>> {
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
  constructor(private readonly views: ReadModelReader) {}

  execute({ context, ownerId, page, perPage }: ListBusinesses) {
    return this.views.getPage(businesses, { where: { 'owner.id': ownerId }, page, perPage }, context.consistency);
  }
}
