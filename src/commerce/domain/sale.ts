import { Rejection } from '../../kernel/rejection.js';
import type { Buyer } from './buyer.js';
import type { CartContent } from './cart-content.js';
import { applyDiscount, assertDiscountActive, type CurrentDiscount, type DiscountedLine } from './cart-discount.js';
import type { CartLine } from './cart-line.js';
import { assertOfferFits, assertStillOffered } from './cart-offer.js';
import { assertLinesChargeable, type GetAmountStep } from './chargeable.js';
import { calculateTotals, type Totals } from './money.js';
import type { KnownOffer } from './offer.js';
import type { KnownProduct } from './product.js';
import { assertAvailable, findBlockReason, limitToPlan } from './saleability.js';

/** The content of a checked-out cart, as an order needs it. `methodToken` may be null only when nothing is due. */
export interface Sale extends CartContent, Totals {
  readonly orderId: string;
  readonly cartId: string;
  readonly businessId: string;
  readonly currency: string;
  readonly buyer: Buyer;
  readonly lines: readonly DiscountedLine[];
  readonly methodToken: string | null;
}

/** The facts of a cart that a sale takes. */
interface CartToSell {
  readonly id: string;
  readonly owner: { readonly businessId: string };
  readonly content: CartContent;
  readonly lines: readonly CartLine[];
}

/** `products` are the current products of the lines, `discount` and `offer` are the current ones of the cart. */
export interface CheckOut {
  readonly type: 'CheckOut';
  readonly orderId: string;
  readonly buyer: Buyer | null;
  readonly methodToken: string | null;
  readonly products: readonly KnownProduct[];
  readonly discount: CurrentDiscount | null;
  readonly offer: KnownOffer | null;
  readonly getAmountStep?: GetAmountStep;
}

/**
 * @throws Rejection, when the cart is empty, a product or the offer is unavailable, the discount was deleted, or the
 * buyer or payment method is missing
 */
export function sellCart(
  { orderId, products, methodToken, ...command }: CheckOut,
  { id, owner: { businessId }, content, lines: cartLines }: CartToSell,
  now: string,
): Sale {
  const [first] = cartLines;
  if (first === undefined) throw new Rejection('cart_empty', 'The cart has no lines.');

  assertAvailable(cartLines.map((line) => findBlockReason(limitToPlan(findProduct(line, products), line.planId))));
  assertDiscountActive(content.discount ?? null, command.discount);
  assertStillOffered(content.offer, command.offer, now);
  const lines = applyDiscount(cartLines, content.discount);
  assertLinesChargeable(lines, command.getAmountStep);
  const buyer = command.buyer ?? content.buyer;
  if (buyer === null) throw new Rejection('buyer_required', "The buyer's e-mail address is required.", 'buyer.email');
  assertOfferFits({ ...content, buyer });
  const totals = calculateTotals(lines);
  if (totals.totalCents > 0 && methodToken === null)
    throw Rejection.ofField('payment_method.token', 'required', 'A payment method is required.');

  const currency = content.currency ?? first.terms.currency;
  return { ...content, orderId, cartId: id, businessId, buyer, currency, lines, ...totals, methodToken };
}

function findProduct({ productId }: CartLine, products: readonly KnownProduct[]): KnownProduct {
  const product = products.find(({ id }) => id === productId);
  if (product === undefined)
    throw new Rejection('concurrent_update', 'Another request changed the cart at the same time. Try again.');
  return product;
}
