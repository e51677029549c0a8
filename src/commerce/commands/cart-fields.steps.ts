import { Injectable } from '@nestjs/common';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import type { BuyerOwner } from '../domain/buyer.js';
import type { CartContent } from '../domain/cart-content.js';
import type { CartDiscount } from '../domain/cart-discount.js';
import { type BuyerFields, Buyers } from './buyers.steps.js';
import { Discounts } from './discounts.steps.js';

/** The cart fields of a request body. The buyer is not encrypted yet, and the discount has only its code. */
export interface CartFields extends Omit<CartContent, 'buyer' | 'discount'> {
  readonly buyer: BuyerFields | null;
  readonly discountCode: string | null;
}

/** Turns the cart fields of a request body into the content of a cart. */
@Injectable()
export class CartFieldResolver {
  constructor(
    private readonly buyers: Buyers,
    private readonly discounts: Discounts,
  ) {}

  /** Leaves out the fields that the body does not contain. @throws Rejection discount_invalid */
  async resolve(fields: Partial<CartFields>, owner: BuyerOwner): Promise<Partial<CartContent>> {
    const { buyer, discountCode, ...same } = fields;
    const discount = await this.findDiscount(discountCode, owner);
    return { ...same, ...omitUndefined({ buyer: buyer && (await this.buyers.encrypt(owner, buyer)), discount }) };
  }

  private async findDiscount(
    code: string | null | undefined,
    { businessId, mode }: BuyerOwner,
  ): Promise<CartDiscount | null | undefined> {
    return typeof code === 'string' ? this.discounts.requireActive({ businessId, mode, code }) : code;
  }
}
