import type { Context } from '../../kernel/context.js';
import type { Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Cart, KnownCart } from './cart-state.js';

/** The caller facts that decide about access. `business` is null for a buyer's session. */
export interface CartCaller {
  readonly kind: string;
  readonly business: string | null;
  readonly mode: Mode;
  readonly user: { readonly id: string } | null;
  readonly cart: string | null;
}

export interface CartContext extends Context {
  readonly caller: CartCaller;
}

interface CartOwnership {
  readonly cartId: string;
  readonly businessId: string;
  readonly mode: Mode;
  readonly userId: string | null;
}

/** Allows who created the cart, its business or a signed-in buyer, and the holder of its token. */
export function canUseCart(
  { cartId, businessId, mode, userId }: CartOwnership,
  { kind, cart, business, mode: callerMode, user }: CartCaller,
): boolean {
  if (kind === 'cart_token') return cart === cartId;
  if (callerMode !== mode) return false;
  if (userId === null) return business === businessId;
  return business === null && kind === 'session' && user?.id === userId;
}

/** @throws Rejection not_found, when the caller may not use the cart */
export function requireCartAccess(cart: Cart, { caller }: CartContext): KnownCart {
  if (cart.status === 'unknown' || !canUseCart({ cartId: cart.id, ...cart.owner }, caller)) throw Rejection.notFound();
  return cart;
}

/** Allows the seller: a key of the business, or the session of its owner. */
export function isSeller({ kind, business }: CartCaller, businessId: string): boolean {
  return kind !== 'cart_token' && business === businessId;
}

/** The fields of a cart that a shop trusts when it charges the buyer and fulfils the order: all but buyer and discount. */
const SELLER_FIELDS = {
  currency: 'currency',
  metadata: 'metadata',
  externalReference: 'external_reference',
  redirectUrl: 'redirect_url',
  offerId: 'offer_id',
} as const;

type SellerField = keyof typeof SELLER_FIELDS;

/** Allows each of these fields to the seller alone. @throws Rejection permission_denied */
export function assertSellerFields(
  fields: { readonly [F in SellerField]?: unknown },
  caller: CartCaller,
  businessId: string,
  buyerFields: readonly SellerField[] = [],
): void {
  if (isSeller(caller, businessId)) return;
  const errors = Object.entries(SELLER_FIELDS)
    .filter(([field]) => fields[field as SellerField] !== undefined && !buyerFields.includes(field as SellerField))
    .map(([, param]) => ({ code: 'permission_denied', detail: 'Only the seller can set this field.', param }));
  if (errors.length > 0)
    throw Rejection.of('permission_denied', 'The buyer cannot set the fields of the seller in a cart.', errors);
}

/** Replaces the caller's business and mode by those of the cart. */
export function asCartOwner<C extends Context>({ owner: { businessId: business, mode } }: KnownCart, context: C): C {
  return { ...context, business, mode };
}
