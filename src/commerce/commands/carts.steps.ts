import { Injectable } from '@nestjs/common';
import { type CheckedCommand, isCheck, Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../kernel/caller.js';
import { CartBuyers } from '../cart-buyers.js';
import { type CartCommand, cartDecider } from '../domain/cart.js';
import { asCartOwner, requireCartAccess } from '../domain/cart-access.js';
import type { KnownCart } from '../domain/cart-state.js';
import type { KnownProduct } from '../domain/product.js';
import { type CartDocument, carts } from '../projections/carts.js';
import { Amounts } from './amounts.steps.js';
import { Products } from './products.steps.js';

/** Loads and changes the carts that the caller may use. */
@Injectable()
export class Carts {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
    private readonly buyers: CartBuyers,
    private readonly amounts: Amounts,
  ) {}

  async require(id: string, context: CallerContext): Promise<KnownCart> {
    return requireCartAccess(await this.streams.loadState(cartDecider, id), context);
  }

  /** Returns the product of a line. Product and plan must be of the cart's business and mode. */
  async requireProduct(
    cart: KnownCart,
    { productId, planId }: { readonly productId: string; readonly planId: string | null },
    context: CallerContext,
  ): Promise<KnownProduct> {
    const owner = asCartOwner(cart, context);
    const product = await this.products.requireReferenced(productId, owner);
    if (planId !== null) await this.products.requireReferencedPlan(planId, owner);
    return product;
  }

  /** @param command the command, or a function that makes further checks and returns it */
  async edit(cart: KnownCart, command: CheckedCommand<CartCommand>, context: CallerContext): Promise<CartDocument> {
    const getAmountStep = this.amounts.getSteps(cart.owner.mode);
    const complete = async () => ({ ...(isCheck(command) ? await command() : command), getAmountStep });
    const outcome = await this.streams.execute(cartDecider, cart.id, complete, asCartOwner(cart, context));
    return this.buyers.maskFor(context, await outcome.render(carts, cart.id));
  }
}
