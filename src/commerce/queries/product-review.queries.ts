import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import type { Paging } from '../../engine/read-models/queries.js';
import { type PageResult, ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { type ProductDocument, products } from '../projections/products.js';

/** Returns a page of the products of all businesses that wait for a reviewer, newest first. */
export class ListProductReviews extends ContextQuery<Paging, PageResult<ProductDocument>> {}

@QueryHandler(ListProductReviews)
export class ListProductReviewsHandler implements IQueryHandler<ListProductReviews> {
  constructor(private readonly reader: ReadModelReader) {}

  execute({ context, params: { page, perPage } }: ListProductReviews): Promise<PageResult<ProductDocument>> {
    return this.reader.getPage(products, { where: { _inReview: true }, page, perPage }, context.consistency);
  }
}
