import { Rejection } from '../../kernel/rejection.js';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;

/** Returns the token of an `Authorization` header. @throws Rejection 401 */
export function parseBearer(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw new Rejection('invalid_credentials', 'The credential must be a bearer token.');
  return token;
}

export function createInvalidCredential(): Rejection {
  return new Rejection(
    'invalid_credentials',
    'The credential is neither an API key (sk_…, rk_…), a cart token (ct_…) nor a valid session token.',
  );
}
