import { Command, CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { Streams } from '../../engine/streams/streams.js';
import type { CallerContext } from '../../identity/caller.js';
import { Ownership } from '../../identity/ownership.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { cart, type CartContent } from '../domain/cart.js';
import { carts, type CartDocument } from '../projections/carts.js';
import { Buyers, type BuyerFields } from './buyers.js';
import { forBusinessOf, usable } from '../domain/cart-access.js';
import { StoredCartTokens } from './stored-cart-tokens.js';

/** The cart fields of a request body. The buyer is not encrypted yet. */
export interface CartFields extends Omit<CartContent, 'buyer'> {
  readonly buyer: BuyerFields | null;
}

/** Returns the cart token as well, but only to the call that created the cart. */
export class CreateCart extends Command<{ readonly document: CartDocument; readonly token: string | null }> {
  constructor(
    readonly context: CallerContext,
    /** The `business_id` of the request body. */
    readonly businessId: string | null,
    readonly fields: CartFields,
  ) {
    super();
  }
}

@CommandHandler(CreateCart)
export class CreateCartHandler implements ICommandHandler<CreateCart> {
  constructor(
    private readonly streams: Streams,
    private readonly buyers: Buyers,
    private readonly tokens: StoredCartTokens,
    private readonly ownership: Ownership,
  ) {}

  async execute({ context, businessId: named, fields }: CreateCart) {
    const cartId = idOf('cart', context.at, context.commandId);
    const businessId = await this.businessOf(context, named);
    const token = this.tokens.mint(cartId);
    const owner = { businessId, mode: context.mode, userId: buyersId(context), tokenHash: this.tokens.hash(token) };
    const buyer = fields.buyer && (await this.buyers.seal(businessId, fields.buyer));
    const command = { type: 'CreateCart', cartId, ...owner, ...fields, buyer } as const;
    const outcome = await this.streams.execute(cart, cartId, command, { ...context, business: businessId });
    return { document: await outcome.render(carts, cartId), token: outcome.repeated ? null : token };
  }

  /** Returns the caller's business, or else the business in the request body. */
  private async businessOf({ business }: CallerContext, named: string | null): Promise<string> {
    const id = business ?? named;
    if (id === null) throw Rejection.field('business_id', 'required', 'business_id is required for a signed-in buyer.');
    if (named !== null && (named !== id || (await this.ownership.ownerOf(id)) === null)) throw Rejection.unknownReference('business_id');
    return id;
  }
}

/** Returns the user id of a signed-in buyer; null for an API key or an owner, who act for the business. */
function buyersId({ caller: { kind, business, user } }: CallerContext): string | null {
  return kind === 'session' && business === null ? (user?.id ?? null) : null;
}

export class EditCart extends Command<CartDocument> {
  constructor(
    readonly context: CallerContext,
    readonly id: string,
    readonly fields: Partial<CartFields>,
  ) {
    super();
  }
}

@CommandHandler(EditCart)
export class EditCartHandler implements ICommandHandler<EditCart> {
  constructor(
    private readonly streams: Streams,
    private readonly buyers: Buyers,
  ) {}

  async execute({ context, id, fields: { buyer, ...fields } }: EditCart): Promise<CartDocument> {
    const before = usable(await this.streams.state(cart, id), context);
    const sealed = buyer && (await this.buyers.seal(before.owner.businessId, buyer));
    const content = sealed === undefined ? fields : { ...fields, buyer: sealed };
    const outcome = await this.streams.execute(cart, id, { type: 'EditCart', content }, forBusinessOf(before, context));
    return outcome.render(carts, id);
  }
}
