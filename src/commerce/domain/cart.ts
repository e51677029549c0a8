import { addMs, DAY_MS } from '../../kernel/clock.js';
import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff, isEqualJson } from '../../kernel/diff.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { type Buyer, isSameBuyer } from './buyer.js';
import { addDecline, assertNoCardTesting } from './card-testing.js';
import type { CartContent } from './cart-content.js';
import { assertMaxAmount, type CartLine, createLine, withQuantity } from './cart-line.js';
import type { KnownProduct } from './product.js';
import { type CheckOut, type Sale, sellCart } from './sale.js';

/** Counted from the last change of the cart. */
const LIFETIME_MS = 7 * DAY_MS;
const MAX_LINES = 50;

/** Only the hash of the cart token is stored. `userId` is the signed-in buyer who created the cart, otherwise null. */
export type CartEvent =
  | Fact<'CartCreated', CartCreation>
  | Fact<'CartEdited', { cartId: string; changes: Partial<CartContent>; at: string; expiresAt: string }>
  | Fact<'LineAdded', { cartId: string; line: CartLine; at: string; expiresAt: string }>
  | Fact<'LineChanged', { cartId: string; line: CartLine; at: string; expiresAt: string }>
  | Fact<'LineRemoved', { cartId: string; lineId: string; at: string; expiresAt: string }>
  | CartCheckedOut
  | Fact<'CartReopened', { cartId: string; orderId: string; at: string; expiresAt: string }>;

export type CartCheckedOut = Fact<'CartCheckedOut', Sale & { at: string }>;

type CartCreation = CartContent &
  CartOwner & { readonly cartId: string; readonly at: string; readonly expiresAt: string };

export interface CartOwner {
  readonly businessId: string;
  readonly mode: Mode;
  readonly userId: string | null;
  readonly tokenHash: string;
}

export interface KnownCart {
  readonly status: 'open' | 'completed';
  readonly id: string;
  readonly owner: CartOwner;
  readonly content: CartContent;
  readonly lines: readonly CartLine[];
  readonly orderId: string | null;
  readonly expiresAt: string;
  /** The times of the latest declined payments, at most 10. */
  readonly declinedAt: readonly string[];
}

export type Cart = { readonly status: 'unknown' } | KnownCart;

function evolve(cart: Cart, event: CartEvent): Cart {
  if (event.type === 'CartCreated') return applyCreated(event.data);
  if (cart.status === 'unknown') return cart;

  switch (event.type) {
    case 'CartEdited':
      return { ...cart, content: { ...cart.content, ...event.data.changes }, expiresAt: event.data.expiresAt };
    case 'LineAdded':
    case 'LineChanged':
    case 'LineRemoved':
      return { ...applyLine(cart, event), expiresAt: event.data.expiresAt };
    case 'CartCheckedOut': {
      const { buyer, orderId } = event.data;
      return { ...cart, status: 'completed', content: { ...cart.content, buyer }, orderId };
    }
    case 'CartReopened': {
      const { at, expiresAt } = event.data;
      return { ...cart, status: 'open', orderId: null, expiresAt, declinedAt: addDecline(cart.declinedAt, at) };
    }
  }
}

type LineEvent = Extract<CartEvent, { type: 'LineAdded' | 'LineChanged' | 'LineRemoved' }>;

function applyLine(cart: KnownCart, { type, data }: LineEvent): KnownCart {
  switch (type) {
    case 'LineAdded': {
      const currency = cart.content.currency ?? data.line.terms.currency;
      return { ...cart, content: { ...cart.content, currency }, lines: [...cart.lines, data.line] };
    }
    case 'LineChanged':
      return { ...cart, lines: cart.lines.map((old) => (old.lineId === data.line.lineId ? data.line : old)) };
    case 'LineRemoved':
      return { ...cart, lines: cart.lines.filter(({ lineId }) => lineId !== data.lineId) };
  }
}

function applyCreated({
  cartId: id,
  businessId,
  mode,
  userId,
  tokenHash,
  expiresAt,
  ...fields
}: CartCreation): KnownCart {
  const { currency, buyer, discount = null, metadata, externalReference, redirectUrl } = fields;
  const content = { currency, buyer, discount, metadata, externalReference, redirectUrl };
  return {
    status: 'open',
    id,
    owner: { businessId, mode, userId, tokenHash },
    content,
    lines: [],
    orderId: null,
    expiresAt,
    declinedAt: [],
  };
}

export type CartCommand =
  | ({ readonly type: 'CreateCart'; readonly cartId: string } & CartContent & CartOwner)
  | { readonly type: 'EditCart'; readonly content: Partial<CartContent> }
  | {
      readonly type: 'AddLine';
      readonly product: KnownProduct;
      readonly planId: string | null;
      readonly quantity: number;
    }
  | ChangeLine
  | { readonly type: 'RemoveLine'; readonly lineId: string }
  | CheckOut
  | { readonly type: 'ReopenCart'; readonly orderId: string };

/** `plan` is null when the plan stays the same. */
interface ChangeLine {
  readonly type: 'ChangeLine';
  readonly lineId: string;
  readonly quantity: number | null;
  readonly plan: { readonly product: KnownProduct; readonly planId: string } | null;
}

function decide(command: CartCommand, cart: Cart, x: DecisionContext): readonly CartEvent[] {
  if (command.type === 'CreateCart') return cart.status === 'unknown' ? create(command, x.now) : [];
  if (cart.status === 'unknown') throw Rejection.notFound();
  if (command.type === 'ReopenCart') return reopen(command.orderId, cart, x.now);
  if (!isOpen(cart, x.now)) throw new Rejection('cart_not_open', 'The cart is checked out or expired.');

  switch (command.type) {
    case 'EditCart':
      return edit(command.content, cart, x.now);
    case 'AddLine':
      return addLine(createLine(x.createId('cl'), command.product, command.planId, command.quantity), cart, x.now);
    case 'ChangeLine':
      return changeLine(command, cart, x.now);
    case 'RemoveLine':
      return removeLine(requireLine(cart, command.lineId), cart, x.now);
    case 'CheckOut':
      assertNoCardTesting(cart.declinedAt, x.now);
      return [{ type: 'CartCheckedOut', data: { ...sellCart(command, cart), at: x.now } }];
  }
}

/** Without a checkout, a cart is open until it expires. */
export function isOpen(
  { status, expiresAt }: { readonly status: string; readonly expiresAt: string },
  now: string,
): boolean {
  return status === 'open' && now < expiresAt;
}

function create({ type: _, ...data }: Extract<CartCommand, { type: 'CreateCart' }>, now: string): readonly CartEvent[] {
  return [{ type: 'CartCreated', data: { ...data, ...stampChange(data.cartId, now) } }];
}

function edit(content: Partial<CartContent>, cart: KnownCart, now: string): readonly CartEvent[] {
  const changes = diff(content, cart.content, isSameField);
  if (Object.keys(changes).length === 0) return [];
  if (changes.currency !== undefined && cart.lines.length > 0) throw createCurrencyRejection('currency');
  return [{ type: 'CartEdited', data: { changes, ...stampChange(cart.id, now) } }];
}

function isSameField(a: unknown, b: unknown, field: keyof CartContent): boolean {
  return field === 'buyer' ? isSameBuyer(a as Buyer | null, b as Buyer | null) : isEqualJson(a, b);
}

function addLine(line: CartLine, cart: KnownCart, now: string): readonly CartEvent[] {
  if (cart.lines.length >= MAX_LINES) throw createLineLimitRejection();
  assertLineFits(line, cart, [...cart.lines, line]);
  return [{ type: 'LineAdded', data: { line, ...stampChange(cart.id, now) } }];
}

function changeLine({ lineId, quantity, plan }: ChangeLine, cart: KnownCart, now: string): readonly CartEvent[] {
  const before = requireLine(cart, lineId);
  const count = quantity ?? before.quantity;
  const line = plan === null ? withQuantity(before, count) : createLine(lineId, plan.product, plan.planId, count);
  if (line.planId === before.planId && line.quantity === before.quantity) return [];
  assertLineFits(line, cart, [...cart.lines.filter((other) => other !== before), line]);
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
  const line = cart.lines.find((candidate) => candidate.lineId === lineId);
  if (line === undefined) throw Rejection.notFound();
  return line;
}

function reopen(orderId: string, { id, orderId: current }: KnownCart, now: string): readonly CartEvent[] {
  return orderId === current ? [{ type: 'CartReopened', data: { orderId, ...stampChange(id, now) } }] : [];
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
    CartReopened: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
