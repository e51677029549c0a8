import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { ContextCommand } from '../../engine/context-command.js';
import { Streams } from '../../engine/streams/streams.js';
import { BusinessOwnership } from '../../kernel/business-ownership.js';
import type { CallerContext } from '../../kernel/caller.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { CartBuyers } from '../cart-buyers.js';
import { CartTokenIssuer } from '../cart-token-issuer.js';
import { cartDecider } from '../domain/cart.js';
import { assertSellerFields } from '../domain/cart-access.js';
import type { CartContent } from '../domain/cart-content.js';
import { type CartDocument, carts } from '../projections/carts.js';
import { CartFieldResolver, type CartFields } from './cart-fields.steps.js';
import { Carts } from './carts.steps.js';

/** A signed-in buyer who creates a cart takes an offer with it, or names the currency of its first line. */
const FIELDS_OF_NEW_CART = ['offerId', 'currency'] as const;

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
    private readonly buyers: CartBuyers,
    private readonly tokens: CartTokenIssuer,
    private readonly ownership: BusinessOwnership,
  ) {}

  async execute({ context, params: { businessId: requestedId, fields } }: CreateCart) {
    const cartId = idOf('cart', context.at, context.commandId);
    const businessId = await this.resolveBusiness(context, requestedId);
    const token = this.tokens.mint(cartId);
    const tokenHash = this.tokens.hash(token);
    const owner = { businessId, mode: context.mode, userId: findBuyerUserId(context), tokenHash };
    const resolve = async () => {
      assertSellerFields(fields, context.caller, businessId, FIELDS_OF_NEW_CART);
      const { content, ...offer } = await this.content.resolve(fields, { id: null, owner }, context);
      if (offer.taken) this.buyers.assertOfferIsFor(offer.taken.offer.content.buyer, context, businessId);
      return { type: 'CreateCart', cartId, ...owner, ...EMPTY_CONTENT, ...content, ...offer } as const;
    };
    const outcome = await this.streams.execute(cartDecider, cartId, resolve, { ...context, business: businessId });
    const document = await this.buyers.maskFor(context, await outcome.render(carts, cartId));
    return { document, token: outcome.repeated ? null : token };
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
    assertSellerFields(params.fields, context.caller, cart.owner.businessId);
    const fields = await this.content.resolve(params.fields, cart, context);
    return this.carts.edit(cart, { type: 'EditCart', ...fields }, context);
  }
}

export const cartHandlers = [CreateCartHandler, EditCartHandler];
