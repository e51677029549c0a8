import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { type ProductCommand, productDecider } from '../domain/product.js';
import { type ProductDocument, products } from '../projections/products.js';
import { Products } from './products.steps.js';

/** Records the decisions of reviewers. A reviewer has no business, so the product's business and mode are recorded. */
@Injectable()
export class Reviews {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
  ) {}

  async decide(id: string, command: ProductCommand, context: Context): Promise<ProductDocument> {
    const { business, mode } = await this.products.requireProduct(id);
    const outcome = await this.streams.execute(productDecider, id, command, { ...context, business, mode });
    return outcome.render(products, id);
  }
}

export class ApproveProduct extends Command<ProductDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(ApproveProduct)
export class ApproveProductHandler implements ICommandHandler<ApproveProduct> {
  constructor(private readonly reviews: Reviews) {}

  execute({ context, id }: ApproveProduct): Promise<ProductDocument> {
    return this.reviews.decide(id, { type: 'ApproveProduct' }, context);
  }
}

export class DenyProduct extends Command<ProductDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(DenyProduct)
export class DenyProductHandler implements ICommandHandler<DenyProduct> {
  constructor(private readonly reviews: Reviews) {}

  execute({ context, id, reason }: DenyProduct): Promise<ProductDocument> {
    return this.reviews.decide(id, { type: 'DenyProduct', reason }, context);
  }
}
