import { Injectable } from '@nestjs/common';
import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { type CartCommand, cartDecider, type KnownCart, requireLine } from '../domain/cart.js';
import { asCartOwner, requireCartAccess } from '../domain/cart-access.js';
import type { KnownProduct } from '../domain/product.js';
import { type CartDocument, carts } from '../projections/carts.js';
import { Plans } from './plans.steps.js';
import { Products } from './products.steps.js';

/** Writes the lines of a cart that the caller may use. Every write returns the cart. */
@Injectable()
export class CartLines {
  constructor(
    private readonly streams: Streams,
    private readonly products: Products,
    private readonly plans: Plans,
  ) {}

  async requireCart(id: string, context: CallerContext): Promise<KnownCart> {
    return requireCartAccess(await this.streams.loadState(cartDecider, id), context);
  }

  /** Returns the product of a line. The product and the plan must belong to the business. */
  async requireProduct(
    ownerCart: KnownCart,
    productId: string,
    planId: string | null,
    context: CallerContext,
  ): Promise<KnownProduct> {
    const product = await this.products.requireReferenced(productId, asCartOwner(ownerCart, context));
    if (planId !== null) await this.plans.requireOwnPlan(planId, ownerCart.owner.businessId);
    return product;
  }

  async write(before: KnownCart, command: CartCommand, context: CallerContext): Promise<CartDocument> {
    const outcome = await this.streams.execute(cartDecider, before.id, command, asCartOwner(before, context));
    return outcome.render(carts, before.id);
  }
}

export class AddLine extends Command<CartDocument> {
  constructor(
    readonly context: CallerContext,
    readonly cartId: string,
    readonly productId: string,
    readonly planId: string | null,
    readonly quantity: number,
  ) {
    super();
  }
}

@CommandHandler(AddLine)
export class AddLineHandler implements ICommandHandler<AddLine> {
  constructor(private readonly lines: CartLines) {}

  async execute({ context, cartId, productId, planId, quantity }: AddLine): Promise<CartDocument> {
    const before = await this.lines.requireCart(cartId, context);
    const product = await this.lines.requireProduct(before, productId, planId, context);
    return this.lines.write(before, { type: 'AddLine', product, planId, quantity }, context);
  }
}

export class ChangeLine extends Command<CartDocument> {
  constructor(
    readonly context: CallerContext,
    readonly cartId: string,
    readonly lineId: string,
    readonly planId: string | null,
    readonly quantity: number | null,
  ) {
    super();
  }
}

@CommandHandler(ChangeLine)
export class ChangeLineHandler implements ICommandHandler<ChangeLine> {
  constructor(private readonly lines: CartLines) {}

  async execute({ context, cartId, lineId, planId, quantity }: ChangeLine): Promise<CartDocument> {
    const before = await this.lines.requireCart(cartId, context);
    const line = requireLine(before, lineId);
    const plan =
      planId === null
        ? null
        : { product: await this.lines.requireProduct(before, line.productId, planId, context), planId };
    return this.lines.write(before, { type: 'ChangeLine', lineId, quantity, plan }, context);
  }
}

export class RemoveLine extends Command<CartDocument> {
  constructor(
    readonly context: CallerContext,
    readonly cartId: string,
    readonly lineId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveLine)
export class RemoveLineHandler implements ICommandHandler<RemoveLine> {
  constructor(private readonly lines: CartLines) {}

  async execute({ context, cartId, lineId }: RemoveLine): Promise<CartDocument> {
    return this.lines.write(await this.lines.requireCart(cartId, context), { type: 'RemoveLine', lineId }, context);
  }
}
