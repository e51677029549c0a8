import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import { BusinessClock } from '../../kernel/business-clock.js';
import type { CallerContext } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { CartBuyers } from '../cart-buyers.js';
import { isOpen } from '../domain/cart.js';
import { canUseCart } from '../domain/cart-access.js';
import { type CartDocument, carts } from '../projections/carts.js';

export class RetrieveCart extends ContextQuery<{ id: string }, CartDocument, CallerContext> {}

@QueryHandler(RetrieveCart)
export class RetrieveCartHandler implements IQueryHandler<RetrieveCart> {
  constructor(
    private readonly views: ReadModelReader,
    private readonly clock: BusinessClock,
    private readonly buyers: CartBuyers,
  ) {}

  async execute({ context, params: { id } }: RetrieveCart): Promise<CartDocument> {
    const cart = await this.views.get(carts, id, context.consistency);
    if (cart === null || !canUseCart(toCartOwnership(cart), context.caller)) throw Rejection.notFound();
    return this.buyers.maskFor(context, await this.applyExpiry(cart));
  }

  /** Derives `expired` from the clock, because no event is recorded when a cart expires. */
  private async applyExpiry(cart: CartDocument): Promise<CartDocument> {
    const { status, expires_at: expiresAt, _business: business, _mode: mode } = cart;
    const now = await this.clock.now({ business, mode });
    const expired = status === 'open' && !isOpen({ status, expiresAt }, now);
    return expired ? { ...cart, status: 'expired' } : cart;
  }
}

function toCartOwnership({ id, business, _mode, _userId }: CartDocument) {
  return { cartId: id, businessId: business.id, mode: _mode, userId: _userId };
}
