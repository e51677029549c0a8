import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { productDecider, type Review } from '../domain/product.js';
import { type ProductDocument, products } from '../projections/products.js';
import { Products } from './products.steps.js';

export class ReviewProduct extends ContextCommand<{ id: string; review: Review }, ProductDocument> {}

/** Records the decision of a reviewer. A reviewer has no business, so the product's business and mode are recorded. */
@CommandHandler(ReviewProduct)
export class ReviewProductHandler implements ICommandHandler<ReviewProduct> {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
  ) {}

  async execute({ context, params: { id, review } }: ReviewProduct): Promise<ProductDocument> {
    const { business, mode } = await this.products.requireProduct(id);
    const outcome = await this.streams.execute(productDecider, id, review, { ...context, business, mode });
    return outcome.render(products, id);
  }
}
