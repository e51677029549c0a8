import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { OwnedStreams } from '../../engine/streams/owned-streams.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import type { PlanTerms } from '../domain/payment-plan.js';
import { productDecider } from '../domain/product.js';
import type { ProductContent } from '../domain/product-events.js';
import type { Review } from '../domain/product-review.js';
import { type ProductDocument, products } from '../projections/products.js';
import { Amounts } from './amounts.steps.js';
import { Plans } from './plans.steps.js';
import { Products } from './products.steps.js';

export class CreateProduct extends ContextCommand<
  { content: ProductContent; plans: readonly PlanTerms[] },
  ProductDocument
> {}

@CommandHandler(CreateProduct)
export class CreateProductHandler implements ICommandHandler<CreateProduct> {
  constructor(
    private readonly streams: Streams,
    private readonly plans: Plans,
    private readonly amounts: Amounts,
  ) {}

  async execute({ context, params: { content, plans } }: CreateProduct): Promise<ProductDocument> {
    this.amounts.assertPlansChargeable(plans, context.mode, (i) => `plans[${i}].`);
    const productId = idOf('prod', context.at, context.commandId);
    const owner = { productId, businessId: requireBusiness(context), mode: context.mode };
    const outcome = await this.streams.execute(
      productDecider,
      productId,
      { type: 'CreateProduct', ...owner, ...content, plans },
      context,
    );
    const product = await outcome.render(products, productId);
    await this.plans.register(
      productId,
      product.plans.map(({ id }) => id),
      context,
    );
    return product;
  }
}

export class AddPlan extends ContextCommand<{ id: string; terms: PlanTerms }, ProductDocument> {}

@CommandHandler(AddPlan)
export class AddPlanHandler implements ICommandHandler<AddPlan> {
  constructor(
    private readonly streams: OwnedStreams,
    private readonly plans: Plans,
    private readonly amounts: Amounts,
  ) {}

  async execute({ context, params: { id, terms } }: AddPlan): Promise<ProductDocument> {
    this.amounts.assertPlansChargeable([terms], context.mode, () => '');
    const product = await this.streams.edit(productDecider, products, id, { type: 'AddPlan', terms }, context);
    await this.plans.register(id, [product.plans.at(-1)!.id], context);
    return product;
  }
}

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

export const productHandlers = [CreateProductHandler, AddPlanHandler, ReviewProductHandler];
