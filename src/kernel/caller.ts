import type { Context } from './context.js';
import type { Actor, Mode } from './event.js';
import { Rejection } from './rejection.js';

/** The sender of a request, from its credential and its headers. */
export interface Caller {
  readonly kind: 'secret_key' | 'read_only_key' | 'session' | 'cart_token' | 'anonymous';
  readonly actor: Actor;
  /** The business that the caller acts for: that of the key or the cart, or the one that a session names and owns. */
  readonly business: string | null;
  readonly mode: Mode;
  /**
   * The signed-in user, or the user of the key. The address is known only for a session with a verified address that no
   * later token has replaced.
   */
  readonly user: { readonly id: string; readonly email: string | null } | null;
  /** Whether the caller is a platform reviewer, who may approve and deny the products of every business. */
  readonly reviewer: boolean;
  readonly cart: string | null;
}

/** The context of a request. `business`, `mode` and `actor` come from the caller. */
export interface CallerContext extends Context {
  readonly caller: Caller;
  /** The key that counts the requests of the caller's address; missing when no request is the cause. */
  readonly address?: string;
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

/** Returns a resource of the caller's business, in either mode. @throws Rejection the 404 of an unknown id */
export function requireOfBusiness<T>(found: T | null, owner: string | undefined, { business }: Context): T {
  if (found === null || owner !== business) throw Rejection.notFound();
  return found;
}

/** Returns the user of the caller; an API key acts as its own user. @throws Rejection `permission_denied` */
export function requireUserId({ caller }: CallerContext): string {
  if (caller.user === null) throw new Rejection('permission_denied', 'The credential has no user.');
  return caller.user.id;
}

/** Returns the business that the caller acts for. @throws Rejection `business_access_denied` */
export function requireBusiness({ business }: Context): string {
  if (business === null) throw new Rejection('business_access_denied', 'Name the business with X-Service-Business-Id.');
  return business;
}
