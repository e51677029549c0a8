import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { ownState } from '../../kernel/ownership.js';
import { type CartDiscount, createInvalidDiscountRejection, type CurrentDiscount } from '../domain/cart-discount.js';
import {
  type DiscountCode,
  discountCodeClaims,
  discountCodeIdOf,
  discountDecider,
  listEarlierCodeIds,
} from '../domain/discount.js';

/** Reads discounts from their streams, so that a deleted discount is refused at once. */
@Injectable()
export class Discounts {
  constructor(private readonly streams: Streams) {}

  /** @throws Rejection discount_invalid */
  async requireActive(code: DiscountCode): Promise<CartDiscount> {
    for (const codeId of [discountCodeIdOf(code), ...listEarlierCodeIds(code)]) {
      const discount = await this.findActive(codeId, code);
      if (discount !== null) return discount;
    }
    throw createInvalidDiscountRejection();
  }

  private async findActive(
    codeId: string,
    { businessId: business, mode }: Omit<DiscountCode, 'code'>,
  ): Promise<CartDiscount | null> {
    const { ownerId: discountId } = await this.streams.loadState(discountCodeClaims, codeId);
    if (discountId === null) return null;
    const found = await this.streams.loadState(discountDecider, discountId);
    const discount = ownState(discountDecider, found, { business, mode });
    return discount?.status === 'active' ? { discountId, ...discount.terms } : null;
  }

  async findCurrent(discount: CartDiscount | null): Promise<CurrentDiscount | null> {
    if (discount === null) return null;
    const { discountId } = discount;
    const { status } = await this.streams.loadState(discountDecider, discountId);
    return { discountId, isActive: status === 'active' };
  }
}
