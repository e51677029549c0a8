import type { Context } from '../../kernel/context.js';
import type { Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Cart, KnownCart } from './cart.js';

/** What a caller has to do with carts. `business` is the one acted for; a buyer's session has none. */
export interface CartCaller {
  readonly kind: string;
  readonly business: string | null;
  readonly mode: Mode;
  readonly user: { readonly id: string } | null;
  /** The cart that a cart token opens. */
  readonly cart: string | null;
}

export interface CartContext extends Context {
  readonly caller: CartCaller;
}

interface CartAndOwner {
  readonly cartId: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly userId: string | null;
}

/** A cart is its business's, its signed-in buyer's, and that of whoever has its token. */
export function mayUse(
  { cartId, businessId, mode, userId }: CartAndOwner,
  { kind, cart, business, mode: callersMode, user }: CartCaller,
): boolean {
  if (kind === 'cart_token') return cart === cartId;
  if (callersMode !== mode) return false;
  return business === null ? kind === 'session' && userId !== null && user?.id === userId : business === businessId;
}

/** The cart when the caller may use it. */
export function usable(cart: Cart, { caller }: CartContext): KnownCart {
  if (cart.status === 'unknown' || !mayUse({ cartId: cart.id, ...cart.owner }, caller)) throw Rejection.notFound();
  return cart;
}

/** What happens to a cart happens for its business, whoever acts. */
export function forBusinessOf<C extends Context>({ owner: { businessId: business, mode } }: KnownCart, context: C): C {
  return { ...context, business, mode };
}
