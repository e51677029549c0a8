import { Rejection } from '../../kernel/rejection.js';
import type { CartContent, CartOffer } from './cart-content.js';
import { createInvalidDiscountRejection } from './cart-discount.js';
import { type CartLine, createLineForPlan } from './cart-line.js';
import { assertAcceptable, assertFree, type KnownOffer } from './offer.js';
import type { KnownProduct } from './product.js';
import { assertSaleable, requirePlan } from './saleability.js';

/** An offer that fills a cart, with its current product. */
export interface TakenOffer {
  readonly offer: KnownOffer;
  readonly product: KnownProduct;
}

/** Returns the fields of the cart that the offer sets. @throws Rejection, when it cannot be accepted, or does not fit */
export function takeOffer({ offer }: TakenOffer, content: CartContent, now: string): Partial<CartContent> {
  assertAcceptable(offer, now);
  const { offerId, buyer, terms } = offer.content;
  const taken = { offerId, buyerId: buyer.id };
  assertOfferFits({ ...content, offer: taken, buyer: content.buyer ?? buyer });
  if (content.currency !== null && content.currency !== terms.currency)
    throw new Rejection('currency_mismatch', 'The offer has another currency.', 'currency');
  return { offer: taken, buyer: content.buyer?.name ? content.buyer : buyer, currency: terms.currency };
}

/** Returns the fields that change with the offer; null removes it. */
export function changeOffer(
  taken: TakenOffer | null | undefined,
  content: CartContent,
  now: string,
): Partial<CartContent> {
  if (taken) return takeOffer(taken, content, now);
  return taken === null && content.offer ? { offer: null } : {};
}

/** The offer is for one buyer, and has its own price. @throws Rejection offer_buyer_mismatch, discount_invalid */
export function assertOfferFits({ offer, buyer, discount }: CartContent): void {
  if (!offer) return;
  if (buyer?.id !== offer.buyerId) throw createBuyerMismatchRejection();
  if (discount) throw createInvalidDiscountRejection('An offer has its own price, without a discount.');
}

export function createBuyerMismatchRejection(): Rejection {
  return new Rejection('offer_buyer_mismatch', 'The offer is for another e-mail address.', 'buyer.email');
}

/** @throws Rejection cart_locked */
export function assertLinesCanChange({ offer }: CartContent): void {
  if (offer) throw new Rejection('cart_locked', 'The line of an offer cannot be changed. Remove the offer first.');
}

/** Creates the line of the offer at its price. @throws Rejection, when its product cannot be sold */
export function createOfferLine(lineId: string, { offer, product }: TakenOffer): CartLine {
  assertSaleable(product, 'offer_id');
  const plan = requirePlan(product.plans, offer.content.planId, 'offer_id');
  return createLineForPlan(lineId, product, plan, { unitAmountCents: offer.content.amountCents, quantity: 1 });
}

/** @param current the current state of the cart's offer @throws Rejection, when the offer cannot be accepted now */
export function assertStillOffered(offer: CartOffer | null | undefined, current: KnownOffer | null, now: string): void {
  if (offer?.offerId !== current?.content.offerId)
    throw new Rejection('concurrent_update', 'Another request changed the cart at the same time. Try again.');
  if (current !== null) assertFree(current, now);
}
