import { SetMetadata } from '@nestjs/common';

/**
 * The kinds of credentials that may call a route. Whether the caller may use the resource is checked later.
 *
 * - `business`: keys, and sessions that name a business they own
 * - `community`: live keys and sessions
 * - `public`: every caller, without a credential
 * - `any`: every credential but a cart token
 * - `session`: sessions
 * - `owner_session`: sessions that name a business they own
 * - `reviewer`: sessions of a platform reviewer
 * - `buyer`: keys, sessions and cart tokens
 * - `secret_key`: secret keys
 */
export type AccessRule =
  'business' | 'community' | 'public' | 'any' | 'session' | 'owner_session' | 'reviewer' | 'buyer' | 'secret_key';

export const ACCESS = 'edge:access';

/** Sets the access rule of a route whose path does not imply it. */
export const Access = (rule: AccessRule) => SetMetadata(ACCESS, rule);

/** Returns the access rule that the path implies. The default is `business`, so every route has a rule. */
export function ruleForPath(path: string): AccessRule {
  if (isGateway(path)) return 'public';
  return isCommunity(path) ? 'community' : 'business';
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Payment gateways send their events there, with a signature and no credential. */
export function isGateway(path: string): boolean {
  return path.startsWith('/v1/gateways/');
}

export function isCommunity(path: string): boolean {
  return path.startsWith('/v1/community/');
}
