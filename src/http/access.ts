import { SetMetadata } from '@nestjs/common';

/**
 * Who may call a route at all, by kind of credential; what the resource allows is asked later.
 *
 * - `business`: keys, and sessions that name a business they own
 * - `community`: live keys and sessions
 * - `public`: anybody, without a credential
 * - `any`: every credential but a cart token
 * - `session`: sessions
 * - `owner_session`: sessions that name a business they own
 * - `reviewer`: sessions of a platform reviewer
 * - `buyer`: keys, sessions and cart tokens
 * - `secret_key`: secret keys
 */
export type Rule = 'business' | 'community' | 'public' | 'any' | 'session' | 'owner_session' | 'reviewer' | 'buyer' | 'secret_key';

export const ACCESS = 'edge:access';

/** States a route's rule where its path does not. */
export const Access = (rule: Rule) => SetMetadata(ACCESS, rule);

/** No route is without a rule: unless its path says otherwise, it is for a business. */
export function ruleOfPath(path: string): Rule {
  return isCommunity(path) ? 'community' : 'business';
}

/** Whether a request only reads. */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function isCommunity(path: string): boolean {
  return path.startsWith('/v1/community/');
}
