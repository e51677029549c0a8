import type { Context } from '../kernel/context.js';
import type { Actor, Mode } from '../kernel/event.js';
import { Rejection } from '../kernel/rejection.js';

/** Who a request comes from, as the credential and the headers beside it tell. */
export interface Caller {
  readonly kind: 'secret_key' | 'read_only_key' | 'session' | 'cart_token' | 'anonymous';
  readonly actor: Actor;
  /** The business that the caller acts for: a key's own, a cart's, or the one that a session names and owns. */
  readonly business: string | null;
  readonly mode: Mode;
  /** The signed-in user, or the user whom a key belongs to. The address is known only for a session, and only when it is verified. */
  readonly user: { readonly id: string; readonly email: string | null } | null;
  /** A platform reviewer: may approve and deny any business's products. */
  readonly reviewer: boolean;
  /** The one cart that a cart token opens. */
  readonly cart: string | null;
}

/** The context of a request: `business`, `mode` and `actor` are the caller's. */
export interface CallerContext extends Context {
  readonly caller: Caller;
}

export const ANONYMOUS: Caller = {
  kind: 'anonymous',
  actor: { type: 'system', id: 'anonymous' },
  business: null,
  mode: 'live',
  user: null,
  reviewer: false,
  cart: null,
};

/** The business that the caller acts for. */
export function businessOf({ business }: Context): string {
  if (business === null) throw new Rejection('business_access_denied', 'Say which business this is for.');
  return business;
}
