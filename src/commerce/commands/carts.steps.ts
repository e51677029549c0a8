import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { type CartCommand, cartDecider } from '../domain/cart.js';
import { asCartOwner, requireCartAccess } from '../domain/cart-access.js';
import type { KnownCart } from '../domain/cart-state.js';
import type { KnownProduct } from '../domain/product.js';
import { type CartDocument, carts } from '../projections/carts.js';
import { Plans } from './plans.steps.js';
import { Products } from './products.steps.js';

/** Loads and changes the carts that the caller may use. */
@Injectable()
export class Carts {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
    private readonly plans: Plans,
  ) {}

  async require(id: string, context: CallerContext): Promise<KnownCart> {
    return requireCartAccess(await this.streams.loadState(cartDecider, id), context);
  }

  /** Returns the product of a line. The product and the plan must belong to the cart's business. */
  async requireProduct(
    cart: KnownCart,
    { productId, planId }: { readonly productId: string; readonly planId: string | null },
    context: CallerContext,
  ): Promise<KnownProduct> {
    const product = await this.products.requireReferenced(productId, asCartOwner(cart, context));
    if (planId !== null) await this.plans.requireOwnPlan(planId, cart.owner.businessId);
    return product;
  }

  async edit(cart: KnownCart, command: CartCommand, context: CallerContext): Promise<CartDocument> {
    const outcome = await this.streams.execute(cartDecider, cart.id, command, asCartOwner(cart, context));
    return outcome.render(carts, cart.id);
  }
}
