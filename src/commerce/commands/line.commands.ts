import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import type { CallerContext } from '../../kernel/caller.js';
import { requireLine } from '../domain/cart.js';
import type { CartDocument } from '../projections/carts.js';
import { Carts } from './carts.steps.js';

interface NewLine {
  readonly cartId: string;
  readonly productId: string;
  readonly planId: string | null;
  readonly quantity: number;
}

export class AddLine extends ContextCommand<NewLine, CartDocument, CallerContext> {}

@CommandHandler(AddLine)
export class AddLineHandler implements ICommandHandler<AddLine> {
  constructor(private readonly carts: Carts) {}

  async execute({ context, params }: AddLine): Promise<CartDocument> {
    const { cartId, planId, quantity } = params;
    const cart = await this.carts.require(cartId, context);
    const findProduct = async () => {
      const product = await this.carts.requireProduct(cart, params, context);
      return { type: 'AddLine', product, planId, quantity } as const;
    };
    return this.carts.edit(cart, findProduct, context);
  }
}

/** Null keeps the plan or the quantity. */
interface LineChange {
  readonly cartId: string;
  readonly lineId: string;
  readonly planId: string | null;
  readonly quantity: number | null;
}

export class ChangeLine extends ContextCommand<LineChange, CartDocument, CallerContext> {}

@CommandHandler(ChangeLine)
export class ChangeLineHandler implements ICommandHandler<ChangeLine> {
  constructor(private readonly carts: Carts) {}

  async execute({ context, params: { cartId, lineId, planId, quantity } }: ChangeLine): Promise<CartDocument> {
    const cart = await this.carts.require(cartId, context);
    const { productId } = requireLine(cart, lineId);
    const product = planId === null ? null : await this.carts.requireProduct(cart, { productId, planId }, context);
    const plan = planId === null || product === null ? null : { product, planId };
    return this.carts.edit(cart, { type: 'ChangeLine', lineId, quantity, plan }, context);
  }
}

export class RemoveLine extends ContextCommand<{ cartId: string; lineId: string }, CartDocument, CallerContext> {}

@CommandHandler(RemoveLine)
export class RemoveLineHandler implements ICommandHandler<RemoveLine> {
  constructor(private readonly carts: Carts) {}

  async execute({ context, params: { cartId, lineId } }: RemoveLine): Promise<CartDocument> {
    return this.carts.edit(await this.carts.require(cartId, context), { type: 'RemoveLine', lineId }, context);
  }
}

export const lineHandlers = [AddLineHandler, ChangeLineHandler, RemoveLineHandler];
