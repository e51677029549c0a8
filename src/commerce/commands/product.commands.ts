import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import { businessOf } from '../../identity/caller.js';
import type { Context } from '../../kernel/context.js';
import { idOf } from '../../kernel/ids.js';
import type { PlanTerms } from '../domain/payment-plan.js';
import { product, type ProductContent, type ProductStatus } from '../domain/product.js';
import { products, type ProductDocument } from '../projections/products.js';
import { Plans, type Filing } from './plans.js';
import { Products } from './products.js';

export class CreateProduct extends Command<ProductDocument> {
  constructor(
    readonly context: Context,
    readonly content: ProductContent,
    readonly plans: readonly PlanTerms[],
  ) {
    super();
  }
}

@CommandHandler(CreateProduct)
export class CreateProductHandler implements ICommandHandler<CreateProduct> {
  constructor(
    private readonly streams: Streams,
    private readonly plans: Plans,
  ) {}

  async execute({ context, content, plans }: CreateProduct): Promise<ProductDocument> {
    const productId = idOf('prod', context.at, context.commandId);
    const own = { productId, businessId: businessOf(context), mode: context.mode };
    const outcome = await this.streams.execute(product, productId, { type: 'CreateProduct', ...own, ...content, plans }, context);
    const [created] = await outcome.history();
    await this.plans.file(created!.data as Filing, context);
    return outcome.render(products, productId);
  }
}

export class EditProduct extends Command<ProductDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
    readonly content: Partial<ProductContent>,
    readonly status: ProductStatus | null,
  ) {
    super();
  }
}

@CommandHandler(EditProduct)
export class EditProductHandler implements ICommandHandler<EditProduct> {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
  ) {}

  async execute({ context, id, content, status }: EditProduct): Promise<ProductDocument> {
    await this.products.own(id, context);
    const outcome = await this.streams.execute(product, id, { type: 'EditProduct', content, status }, context);
    return outcome.render(products, id);
  }
}

export class ArchivePlan extends Command<ProductDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
    readonly planId: string,
  ) {
    super();
  }
}

@CommandHandler(ArchivePlan)
export class ArchivePlanHandler implements ICommandHandler<ArchivePlan> {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
  ) {}

  async execute({ context, id, planId }: ArchivePlan): Promise<ProductDocument> {
    await this.products.own(id, context);
    const outcome = await this.streams.execute(product, id, { type: 'ArchivePlan', planId }, context);
    return outcome.render(products, id);
  }
}
