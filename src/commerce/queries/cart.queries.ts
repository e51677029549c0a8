import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ContextQuery } from '../../engine/context-query.js';
import { ReadModelReader } from '../../engine/read-models/read-model-reader.js';
import type { CallerContext } from '../../identity/caller.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { Rejection } from '../../kernel/rejection.js';
import { isOpen } from '../domain/cart.js';
import { canUseCart } from '../domain/cart-access.js';
import { type CartDocument, carts } from '../projections/carts.js';

export class RetrieveCart extends ContextQuery<{ id: string }, CartDocument, CallerContext> {}

@QueryHandler(RetrieveCart)
export class RetrieveCartHandler implements IQueryHandler<RetrieveCart> {
  constructor(
    private readonly views: ReadModelReader,
    private readonly clock: Clock,
  ) {}

  async execute({ context, params: { id } }: RetrieveCart): Promise<CartDocument> {
    const cart = await this.views.get(carts, id, context.consistency);
    if (cart === null || !canUseCart(toCartOwnership(cart), context.caller)) throw Rejection.notFound();
    return this.applyExpiry(cart);
  }

  /** Derives `expired` from the clock, because no event is recorded when a cart expires. */
  private applyExpiry(cart: CartDocument): CartDocument {
    const { status, expires_at: expiresAt } = cart;
    const expired = status === 'open' && !isOpen({ status, expiresAt }, toIso(this.clock.now()));
    return expired ? { ...cart, status: 'expired' } : cart;
  }
}

function toCartOwnership({ id, business, _mode, _userId }: CartDocument) {
  return { cartId: id, businessId: business.id, mode: _mode, userId: _userId };
}
