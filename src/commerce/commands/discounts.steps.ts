import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { ownState } from '../../kernel/ownership.js';
import { type CartDiscount, createInvalidDiscountRejection, type CurrentDiscount } from '../domain/cart-discount.js';
import { type DiscountCode, discountCodeClaims, discountCodeIdOf, discountDecider } from '../domain/discount.js';

/** Reads discounts from their streams, so that a deleted discount is refused at once. */
@Injectable()
export class Discounts {
  constructor(private readonly streams: Streams) {}

  /** @throws Rejection discount_invalid */
  async requireActive(code: DiscountCode): Promise<CartDiscount> {
    const { ownerId: discountId } = await this.streams.loadState(discountCodeClaims, discountCodeIdOf(code));
    if (discountId === null) throw createInvalidDiscountRejection();
    const { businessId: business, mode } = code;
    const found = await this.streams.loadState(discountDecider, discountId);
    const discount = ownState(discountDecider, found, { business, mode });
    if (discount?.status !== 'active') throw createInvalidDiscountRejection();
    return { discountId, ...discount.terms };
  }

  async findCurrent(discount: CartDiscount | null): Promise<CurrentDiscount | null> {
    if (discount === null) return null;
    const { discountId } = discount;
    const { status } = await this.streams.loadState(discountDecider, discountId);
    return { discountId, isActive: status === 'active' };
  }
}
