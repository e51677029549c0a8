import { Rejection } from '../../kernel/rejection.js';
import { hasKeyPrefix, isWellFormedKey } from './api-key-format.js';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;
const CART_TOKEN = /^ct_[0-9a-z]+_[A-Za-z0-9_-]+$/;
const SESSION_TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/** Returns the token of an `Authorization` header. @throws Rejection 401 */
export function parseBearer(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new Rejection('invalid_credentials', 'The credential must be a bearer token.');
  return token;
}

/**
 * Checks, without a lookup, that a header contains what can be an API key with its checksum, a cart token or a session
 * token. @throws Rejection 401
 */
export function assertCredentialForm(authorization: string): void {
  const token = parseBearer(authorization);
  const isPossible = hasKeyPrefix(token) ? isWellFormedKey(token) : CART_TOKEN.test(token) || SESSION_TOKEN.test(token);
  if (!isPossible) throw createInvalidCredential();
}

export function createInvalidCredential(): Rejection {
  return new Rejection(
    'invalid_credentials',
    'The credential is neither an API key (sk_…, rk_…), a cart token (ct_…) nor a valid session token.',
  );
}
