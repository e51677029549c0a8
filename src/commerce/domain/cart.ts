import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff, isEqualJson } from '../../kernel/diff.js';
import { Rejection, requireFound } from '../../kernel/rejection.js';
import { type Buyer, isSameBuyer } from './buyer.js';
import { assertNoCardTesting } from './card-testing.js';
import type { CartContent } from './cart-content.js';
import { applyDiscount } from './cart-discount.js';
import { assertMaxAmount, type CartLine, createLine, withQuantity } from './cart-line.js';
import {
  assertLinesCanChange,
  assertOfferFits,
  changeOffer,
  createOfferLine,
  type TakenOffer,
  takeOffer,
} from './cart-offer.js';
import { type Cart, type CartEvent, type CartOwner, evolveCart, type KnownCart } from './cart-state.js';
import { assertLinesChargeable, type GetAmountStep } from './chargeable.js';
import type { KnownProduct } from './product.js';
import { type CheckOut, sellCart } from './sale.js';

/** Counted from the last change of the cart. */
const LIFETIME_MS = 7 * DAY_MS;
const MAX_LINES = 50;

export type CartCommand =
  | ({ readonly type: 'CreateCart'; readonly cartId: string; readonly taken?: TakenOffer | null } & CartContent &
      CartOwner)
  | EditCart
  | AddLine
  | ChangeLine
  | { readonly type: 'RemoveLine'; readonly lineId: string }
  | CheckOut
  | { readonly type: 'ExpireCart'; readonly buyerId: string }
  | { readonly type: 'ReopenCart'; readonly orderId: string };

interface Checked {
  readonly getAmountStep?: GetAmountStep;
}

/** `taken` is the offer that fills the cart instead of its lines; null removes the offer and its line. */
interface EditCart extends Checked {
  readonly type: 'EditCart';
  readonly content: Partial<CartContent>;
  readonly taken?: TakenOffer | null;
}

interface AddLine extends Checked {
  readonly type: 'AddLine';
  readonly product: KnownProduct;
  readonly planId: string | null;
  readonly quantity: number;
}

/** `plan` is null when the plan stays the same. */
interface ChangeLine extends Checked {
  readonly type: 'ChangeLine';
  readonly lineId: string;
  readonly quantity: number | null;
  readonly plan: { readonly product: KnownProduct; readonly planId: string } | null;
}

function decide(command: CartCommand, cart: Cart, x: DecisionContext): readonly CartEvent[] {
  if (command.type === 'CreateCart') return cart.status === 'unknown' ? create(command, x) : [];
  if (cart.status === 'unknown') throw Rejection.notFound();
  if (command.type === 'ReopenCart') return reopen(command.orderId, cart, x.now);
  if (command.type === 'ExpireCart') return expire(command.buyerId, cart, x.now);
  if (!isOpen(cart, x.now)) throw createNotOpenRejection();

  switch (command.type) {
    case 'EditCart':
      return edit(command, cart, x);
    case 'AddLine':
      assertLinesCanChange(cart.content);
      return addLine(command, cart, x);
    case 'ChangeLine':
      assertLinesCanChange(cart.content);
      return changeLine(command, cart, x.now);
    case 'RemoveLine':
      assertLinesCanChange(cart.content);
      return removeLine(requireLine(cart, command.lineId), cart, x.now);
    case 'CheckOut':
      assertNoCardTesting(cart.declinedAt, x.now);
      return [{ type: 'CartCheckedOut', data: { ...sellCart(command, cart, x.now), at: x.now } }];
  }
}

/** Without a checkout, a cart is open until it expires. */
export function isOpen(
  { status, expiresAt }: { readonly status: string; readonly expiresAt: string },
  now: string,
): boolean {
  return status === 'open' && now < expiresAt;
}

function create(
  { type: _, taken, ...data }: Extract<CartCommand, { type: 'CreateCart' }>,
  x: DecisionContext,
): readonly CartEvent[] {
  const change = stampChange(data.cartId, x.now);
  const content = taken ? takeOffer(taken, data, x.now) : {};
  return [{ type: 'CartCreated', data: { ...data, ...content, ...change } }, ...addOfferLine(taken, change, x)];
}

function edit({ content, taken, getAmountStep }: EditCart, cart: KnownCart, x: DecisionContext): readonly CartEvent[] {
  const wanted = { ...content, ...changeOffer(taken, { ...cart.content, ...content }, x.now) };
  assertOfferFits({ ...cart.content, ...wanted });
  const changes = diff(wanted, cart.content, isSameField);
  if (Object.keys(changes).length === 0) return [];
  if (changes.currency !== undefined && cart.lines.length > 0) throw createCurrencyRejection('currency');
  if (changes.discount)
    assertLinesChargeable(applyDiscount(cart.lines, changes.discount), getAmountStep, 'discount_code');
  const change = stampChange(cart.id, x.now);
  const edited = { type: 'CartEdited', data: { changes, ...change } } as const;
  if (changes.offer === undefined) return [edited];
  return [edited, ...cart.lines.flatMap((line) => removeLine(line, cart, x.now)), ...addOfferLine(taken, change, x)];
}

function addOfferLine(
  taken: TakenOffer | null | undefined,
  change: ReturnType<typeof stampChange>,
  x: DecisionContext,
): readonly CartEvent[] {
  return taken ? [{ type: 'LineAdded', data: { line: createOfferLine(x.createId('cl'), taken), ...change } }] : [];
}

function isSameField(a: unknown, b: unknown, field: keyof CartContent): boolean {
  return field === 'buyer' ? isSameBuyer(a as Buyer | null, b as Buyer | null) : isEqualJson(a, b);
}

function addLine(
  { product, planId, quantity, getAmountStep }: AddLine,
  cart: KnownCart,
  x: DecisionContext,
): readonly CartEvent[] {
  const line = createLine(x.createId('cl'), product, planId, quantity);
  if (cart.lines.length >= MAX_LINES) throw createLineLimitRejection();
  assertLineFits(line, cart, [...cart.lines, line]);
  assertLinesChargeable(applyDiscount([line], cart.content.discount), getAmountStep, 'product_id');
  return [{ type: 'LineAdded', data: { line, ...stampChange(cart.id, x.now) } }];
}

function changeLine(
  { lineId, quantity, plan, getAmountStep }: ChangeLine,
  cart: KnownCart,
  now: string,
): readonly CartEvent[] {
  const before = requireLine(cart, lineId);
  const count = quantity ?? before.quantity;
  const line = plan === null ? withQuantity(before, count) : createLine(lineId, plan.product, plan.planId, count);
  if (line.planId === before.planId && line.quantity === before.quantity) return [];
  assertLineFits(line, cart, [...cart.lines.filter((other) => other !== before), line]);
  assertLinesChargeable(applyDiscount([line], cart.content.discount), getAmountStep, 'quantity');
  return [{ type: 'LineChanged', data: { line, ...stampChange(cart.id, now) } }];
}

function removeLine({ lineId }: CartLine, { id }: KnownCart, now: string): readonly CartEvent[] {
  return [{ type: 'LineRemoved', data: { lineId, ...stampChange(id, now) } }];
}

function assertLineFits({ terms }: CartLine, { content }: KnownCart, lines: readonly CartLine[]): void {
  if (content.currency !== null && content.currency !== terms.currency) throw createCurrencyRejection('plan_id');
  assertMaxAmount(lines);
}

export function requireLine(cart: KnownCart, lineId: string): CartLine {
  return requireFound(cart.lines.find((candidate) => candidate.lineId === lineId));
}

function reopen(orderId: string, { id, orderId: current }: KnownCart, now: string): readonly CartEvent[] {
  return orderId === current ? [{ type: 'CartReopened', data: { orderId, ...stampChange(id, now) } }] : [];
}

/** Ends an open cart of this buyer. */
function expire(buyerId: string, cart: KnownCart, now: string): readonly CartEvent[] {
  if (cart.content.buyer?.id !== buyerId || !isOpen(cart, now)) return [];
  return [{ type: 'CartExpired', data: { cartId: cart.id, at: now } }];
}

export function createNotOpenRejection(): Rejection {
  return new Rejection('cart_not_open', 'The cart is checked out or expired.');
}

function stampChange(cartId: string, now: string): { cartId: string; at: string; expiresAt: string } {
  return { cartId, at: now, expiresAt: addMs(now, LIFETIME_MS) };
}

function createLineLimitRejection(): Rejection {
  const detail = `A cart holds at most ${MAX_LINES} lines.`;
  return Rejection.ofField('product_id', 'too_many_lines', detail);
}

function createCurrencyRejection(param: string): Rejection {
  return new Rejection('currency_mismatch', 'A cart has one currency.', param);
}

export const cartDecider: Decider<Cart, CartCommand, CartEvent> = {
  category: 'cart',
  clock: 'business',
  versions: {
    CartCreated: 1,
    CartEdited: 1,
    LineAdded: 1,
    LineChanged: 1,
    LineRemoved: 1,
    CartCheckedOut: 1,
    CartExpired: 1,
    CartReopened: 1,
  },
  initial: { status: 'unknown' },
  evolve: evolveCart,
  decide,
};
