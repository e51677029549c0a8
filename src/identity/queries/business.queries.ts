import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { type BusinessDocument, businesses } from '../projections/businesses.js';

export class ListBusinesses extends ContextQuery<{ ownerId: string; paging: Paging }, PageResult<BusinessDocument>> {}

@QueryHandler(ListBusinesses)
export class ListBusinessesHandler implements IQueryHandler<ListBusinesses> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ context, params: { ownerId, paging } }: ListBusinesses): Promise<PageResult<BusinessDocument>> {
    const { page, perPage } = paging;
    return this.reader.getPage(businesses, { where: { 'owner.id': ownerId }, page, perPage }, context.consistency);
  }
}
