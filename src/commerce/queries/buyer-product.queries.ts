import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { Streams } from '../../engine/streams/streams.js';
import { requireOwned } from '../../kernel/ownership.js';
import { boolean, describe, type DocumentOf, enumOf, resource } from '../../kernel/schema.js';
import { productDecider } from '../domain/product.js';
import { findBlockReason } from '../domain/saleability.js';
import { type ProductDocument, products, publicProductFields } from '../projections/products.js';

/** A product as buyers see it: its active plans, and the reason why it cannot be bought. */
export const buyerProductSchema = resource('BuyerProduct', {
  ...publicProductFields,
  purchasable: describe(boolean, 'Whether the product can be bought now.', true),
  purchase_block_reason: describe(
    enumOf('none', 'pending_approval', 'inactive', 'no_active_plan'),
    'The reason why the product cannot be bought: it is not approved (`pending_approval`), not on sale (`inactive`) or without an active plan (`no_active_plan`); `none` when it can.',
  ),
});

type BuyerProductDocument = DocumentOf<typeof buyerProductSchema>;

export class RetrieveBuyerProduct extends ContextQuery<{ id: string }, BuyerProductDocument> {}

/**
 * Reads the product's stream, as carts do: a product shown as purchasable can be added to a cart. A signed-in buyer
 * sees the products of every business; any other caller sees only those of its own business.
 */
@QueryHandler(RetrieveBuyerProduct)
export class RetrieveBuyerProductHandler implements IQueryHandler<RetrieveBuyerProduct> {
  constructor(private readonly streams: Streams) {}

  async execute({ context: { business, mode }, params: { id } }: RetrieveBuyerProduct): Promise<BuyerProductDocument> {
    const document = await this.streams.loadDocument(productDecider, id, products);
    const seller = business ?? document?._business ?? null;
    return toBuyerProduct(requireOwned(document, { business: seller, mode }));
  }
}

function toBuyerProduct(product: ProductDocument): BuyerProductDocument {
  const { id, object, business, created_at, name, description, plans, images } = product;
  const { status, approval_status: approval } = product;
  const reason = findBlockReason({ status, approval, plans });
  const activePlans = plans.filter((plan) => plan.status === 'active');
  const shown = { id, object, business, created_at, name, description, plans: activePlans, images };
  return { ...shown, purchasable: reason === 'none', purchase_block_reason: reason };
}
