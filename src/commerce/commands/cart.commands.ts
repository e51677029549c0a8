import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { BusinessOwnership } from '../../identity/business-ownership.js';
import type { CallerContext } from '../../identity/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CartTokenIssuer } from '../cart-token-issuer.js';
import { cartDecider } from '../domain/cart.js';
import type { CartContent } from '../domain/cart-content.js';
import { type CartDocument, carts } from '../projections/carts.js';
import { CartFieldResolver, type CartFields } from './cart-fields.steps.js';
import { Carts } from './carts.steps.js';

const EMPTY_CONTENT: CartContent = {
  currency: null,
  buyer: null,
  discount: null,
  metadata: {},
  externalReference: null,
  redirectUrl: null,
};

/** `businessId` is the `business_id` of the request body. */
interface NewCart {
  readonly businessId: string | null;
  readonly fields: Partial<CartFields>;
}

/** Returns the cart token as well, but only to the call that created the cart. */
export class CreateCart extends ContextCommand<
  NewCart,
  { readonly document: CartDocument; readonly token: string | null },
  CallerContext
> {}

@CommandHandler(CreateCart)
export class CreateCartHandler implements ICommandHandler<CreateCart> {
  constructor(
    private readonly streams: Streams,
    private readonly content: CartFieldResolver,
    private readonly tokens: CartTokenIssuer,
    private readonly ownership: BusinessOwnership,
  ) {}

  async execute({ context, params: { businessId: requestedId, fields } }: CreateCart) {
    const cartId = idOf('cart', context.at, context.commandId);
    const businessId = await this.resolveBusiness(context, requestedId);
    const token = this.tokens.mint(cartId);
    const tokenHash = this.tokens.hash(token);
    const owner = { businessId, mode: context.mode, userId: findBuyerUserId(context), tokenHash };
    const { content, ...offer } = await this.content.resolve(fields, owner);
    const command = { type: 'CreateCart', cartId, ...owner, ...EMPTY_CONTENT, ...content, ...offer } as const;
    const outcome = await this.streams.execute(cartDecider, cartId, command, { ...context, business: businessId });
    return { document: await outcome.render(carts, cartId), token: outcome.repeated ? null : token };
  }

  /** Returns the caller's business, or else the business in the request body. */
  private async resolveBusiness({ business }: CallerContext, requestedId: string | null): Promise<string> {
    const id = business ?? requestedId;
    if (id === null)
      throw Rejection.ofField('business_id', 'required', 'business_id is required for a signed-in buyer.');
    if (requestedId !== null && (requestedId !== id || (await this.ownership.findOwner(id)) === null))
      throw Rejection.unknownReference('business_id');
    return id;
  }
}

/** Returns the user id of a signed-in buyer; null for an API key or an owner, who act for the business. */
function findBuyerUserId({ caller: { kind, business, user } }: CallerContext): string | null {
  return kind === 'session' && business === null ? (user?.id ?? null) : null;
}

export class EditCart extends ContextCommand<
  { id: string; fields: Partial<CartFields> },
  CartDocument,
  CallerContext
> {}

@CommandHandler(EditCart)
export class EditCartHandler implements ICommandHandler<EditCart> {
  constructor(
    private readonly carts: Carts,
    private readonly content: CartFieldResolver,
  ) {}

  async execute({ context, params }: EditCart): Promise<CartDocument> {
    const cart = await this.carts.require(params.id, context);
    const fields = await this.content.resolve(params.fields, cart.owner);
    return this.carts.edit(cart, { type: 'EditCart', ...fields }, context);
  }
}

export const cartHandlers = [CreateCartHandler, EditCartHandler];
