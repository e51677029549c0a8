import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { product } from '../domain/product.js';
import { blockReason, type BlockReason } from '../domain/saleability.js';
import { products, type ProductDocument } from './products.js';

type PublicField = 'id' | 'object' | 'business' | 'created_at' | 'name' | 'description' | 'plans' | 'images';

/** A product as buyers see it: its active plans, and the reason why it cannot be bought. */
export interface BuyerProductDocument extends Pick<ProductDocument, PublicField> {
  readonly purchasable: boolean;
  readonly purchase_block_reason: BlockReason;
}

export class GetBuyerProduct extends Query<BuyerProductDocument> {
  constructor(
    readonly context: Context,
    readonly id: string,
  ) {
    super();
  }
}

/** Reads the product's stream, as carts do: a product shown as purchasable can be added to a cart. */
@QueryHandler(GetBuyerProduct)
export class GetBuyerProductHandler implements IQueryHandler<GetBuyerProduct> {
  constructor(private readonly streams: Streams) {}

  async execute({ context, id }: GetBuyerProduct): Promise<BuyerProductDocument> {
    const document = await this.streams.document(product, id, products);
    if (document === null || !isVisible(document, context)) throw Rejection.notFound();
    return buyerView(document);
  }
}

/** A signed-in buyer sees the products of every business; any other caller sees only those of its own business. */
function isVisible(product: ProductDocument, { business, mode }: Context): boolean {
  return product._mode === mode && (business === null || product.business.id === business);
}

export function buyerView(product: ProductDocument): BuyerProductDocument {
  const { id, object, business, created_at, name, description, plans, images, status, approval_status: approval } = product;
  const reason = blockReason({ status, approval, plans });
  return {
    id,
    object,
    business,
    created_at,
    name,
    description,
    plans: plans.filter((plan) => plan.status === 'active'),
    images,
    purchasable: reason === 'none',
    purchase_block_reason: reason,
  };
}
