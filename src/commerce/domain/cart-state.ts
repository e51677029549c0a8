import type { Fact, Mode } from '../../kernel/event.js';
import { addDecline } from './card-testing.js';
import type { CartContent } from './cart-content.js';
import type { CartLine } from './cart-line.js';
import type { Sale } from './sale.js';

/** Only the hash of the cart token is stored. `userId` is the signed-in buyer who created the cart, otherwise null. */
export type CartEvent =
  | Fact<'CartCreated', CartCreation>
  | Fact<'CartEdited', { cartId: string; changes: Partial<CartContent>; at: string; expiresAt: string }>
  | Fact<'LineAdded', { cartId: string; line: CartLine; at: string; expiresAt: string }>
  | Fact<'LineChanged', { cartId: string; line: CartLine; at: string; expiresAt: string }>
  | Fact<'LineRemoved', { cartId: string; lineId: string; at: string; expiresAt: string }>
  | CartCheckedOut
  /** The buyer was forgotten. The expiry of a cart that nobody changes is no event. */
  | Fact<'CartExpired', { cartId: string; at: string }>
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
  /** The currency of the cart while it has no lines. */
  readonly givenCurrency: string | null;
  readonly lines: readonly CartLine[];
  readonly orderId: string | null;
  readonly expiresAt: string;
  /** The times of the latest declined payments, at most 10. */
  readonly declinedAt: readonly string[];
}

export type Cart = { readonly status: 'unknown' } | KnownCart;

export function evolveCart(cart: Cart, event: CartEvent): Cart {
  if (event.type === 'CartCreated') return applyCreated(event.data);
  if (cart.status === 'unknown') return cart;

  switch (event.type) {
    case 'CartEdited': {
      const { changes, expiresAt } = event.data;
      const givenCurrency = findGivenCurrency(changes, cart.givenCurrency);
      return { ...cart, content: { ...cart.content, ...changes }, givenCurrency, expiresAt };
    }
    case 'LineAdded':
    case 'LineChanged':
    case 'LineRemoved':
      return { ...applyLine(cart, event), expiresAt: event.data.expiresAt };
    case 'CartCheckedOut': {
      const { buyer, orderId } = event.data;
      return { ...cart, status: 'completed', content: { ...cart.content, buyer }, orderId };
    }
    case 'CartExpired':
      return { ...cart, expiresAt: event.data.at };
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
    case 'LineRemoved': {
      const lines = cart.lines.filter(({ lineId }) => lineId !== data.lineId);
      const currency = lines.length === 0 ? cart.givenCurrency : cart.content.currency;
      return { ...cart, content: { ...cart.content, currency }, lines };
    }
  }
}

/** The currency of an offer is that of its line, so it is not given to the cart. */
export function findGivenCurrency(
  { currency, offer }: Partial<Pick<CartContent, 'currency' | 'offer'>>,
  before: string | null,
): string | null {
  return currency === undefined || offer ? before : currency;
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
  const { currency, buyer, discount = null, offer, metadata, externalReference, redirectUrl } = fields;
  const content = { currency, buyer, discount, ...(offer && { offer }), metadata, externalReference, redirectUrl };
  return {
    status: 'open',
    id,
    owner: { businessId, mode, userId, tokenHash },
    content,
    givenCurrency: findGivenCurrency(content, null),
    lines: [],
    orderId: null,
    expiresAt,
    declinedAt: [],
  };
}
