import { Injectable } from '@nestjs/common';
import type { CallerContext } from '../../kernel/caller.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type BuyerFields, Buyers } from '../buyers.js';
import type { BuyerOwner } from '../domain/buyer.js';
import type { CartContent } from '../domain/cart-content.js';
import type { CartDiscount } from '../domain/cart-discount.js';
import type { TakenOffer } from '../domain/cart-offer.js';
import { FailureCounts } from '../failure-counts.js';
import { Discounts } from './discounts.steps.js';
import { Offers } from './offers.steps.js';
import { Products } from './products.steps.js';

/** The cart fields of a request body. The buyer is not encrypted yet; discount and offer are only named. */
export interface CartFields extends Omit<CartContent, 'buyer' | 'discount' | 'offer'> {
  readonly buyer: BuyerFields | null;
  readonly discountCode: string | null;
  readonly offerId: string | null;
}

/** The fields of a cart, and the offer that fills it. A missing one stays as it is. */
interface ResolvedFields {
  readonly content: Partial<CartContent>;
  readonly taken?: TakenOffer | null;
}

/** `id` is null for a cart that is not created yet. */
interface CartOfFields {
  readonly id: string | null;
  readonly owner: BuyerOwner;
}

/** Turns the cart fields of a request body into the content of a cart. */
@Injectable()
export class CartFieldResolver {
  constructor(
    private readonly buyers: Buyers,
    private readonly discounts: Discounts,
    private readonly offers: Offers,
    private readonly products: Products,
    private readonly failures: FailureCounts,
  ) {}

  /** Leaves out the fields that the body does not contain. @throws Rejection discount_invalid, validation_failed */
  async resolve(fields: Partial<CartFields>, cart: CartOfFields, context: CallerContext): Promise<ResolvedFields> {
    const { owner } = cart;
    const { buyer, discountCode, offerId, ...same } = fields;
    const taken = await this.findOffer(offerId, owner);
    const discount =
      typeof discountCode === 'string' ? await this.requireDiscount(discountCode, cart, context) : discountCode;
    const sealed = buyer && (await this.buyers.encrypt(owner, buyer));
    return { content: { ...same, ...omitUndefined({ buyer: sealed, discount }) }, ...omitUndefined({ taken }) };
  }

  private async findOffer(id: string | null | undefined, owner: BuyerOwner): Promise<TakenOffer | null | undefined> {
    if (typeof id !== 'string') return id;
    const offer = await this.offers.requireReferenced(id, owner);
    return { offer, product: await this.products.requireProduct(offer.content.productId) };
  }

  /** Counts the wrong codes, so that nobody finds one by guessing. @throws Rejection discount_invalid, rate_limited */
  private async requireDiscount(code: string, cart: CartOfFields, context: CallerContext): Promise<CartDiscount> {
    const { businessId, mode } = cart.owner;
    return this.failures.count('wrong_code', 'discount_invalid', { businessId, cartId: cart.id }, context, () =>
      this.discounts.requireActive({ businessId, mode, code }),
    );
  }
}
