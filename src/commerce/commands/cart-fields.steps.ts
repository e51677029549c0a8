import { Injectable } from '@nestjs/common';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import type { BuyerOwner } from '../domain/buyer.js';
import type { CartContent } from '../domain/cart-content.js';
import type { CartDiscount } from '../domain/cart-discount.js';
import type { TakenOffer } from '../domain/cart-offer.js';
import { type BuyerFields, Buyers } from './buyers.steps.js';
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

/** Turns the cart fields of a request body into the content of a cart. */
@Injectable()
export class CartFieldResolver {
  constructor(
    private readonly buyers: Buyers,
    private readonly discounts: Discounts,
    private readonly offers: Offers,
    private readonly products: Products,
  ) {}

  /** Leaves out the fields that the body does not contain. @throws Rejection discount_invalid, validation_failed */
  async resolve(fields: Partial<CartFields>, owner: BuyerOwner): Promise<ResolvedFields> {
    const { buyer, discountCode, offerId, ...same } = fields;
    const taken = await this.findOffer(offerId, owner);
    const discount = await this.findDiscount(discountCode, owner);
    const sealed = buyer && (await this.buyers.encrypt(owner, buyer));
    return { content: { ...same, ...omitUndefined({ buyer: sealed, discount }) }, ...omitUndefined({ taken }) };
  }

  private async findOffer(id: string | null | undefined, owner: BuyerOwner): Promise<TakenOffer | null | undefined> {
    if (typeof id !== 'string') return id;
    const offer = await this.offers.requireReferenced(id, owner);
    return { offer, product: await this.products.requireProduct(offer.content.productId) };
  }

  private async findDiscount(
    code: string | null | undefined,
    { businessId, mode }: BuyerOwner,
  ): Promise<CartDiscount | null | undefined> {
    return typeof code === 'string' ? this.discounts.requireActive({ businessId, mode, code }) : code;
  }
}
