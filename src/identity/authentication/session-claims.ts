import { decodeProtectedHeader, errors, type JWTPayload, type JWTVerifyOptions, UnsecuredJWT } from 'jose';
import type { SessionConfig } from '../../config/config.js';
import { Rejection } from '../../kernel/rejection.js';
import { createInvalidCredential } from './credential-form.js';
import { SESSION_ALGORITHMS } from './jwks.js';

const SESSION_TOKEN = /^[A-Za-z0-9_-]+\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;
const REQUIRED_TOKEN_CLAIMS = ['sub', 'exp', 'iat'];
const CLOCK_TOLERANCE_SECONDS = 5;
const MS_PER_SECOND = 1_000;
/** Providers sign other tokens with the same keys, such as `logout+jwt`: RFC 8725, 3.11. */
const SESSION_TYPE = /^(application\/)?(at\+)?jwt$/i;

export function createVerifyOptions({ issuer, audience }: SessionConfig): JWTVerifyOptions {
  return {
    algorithms: SESSION_ALGORITHMS,
    issuer,
    audience,
    requiredClaims: REQUIRED_TOKEN_CLAIMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  };
}

/** Checks everything of a session token but its signature, so no key is needed. @throws Rejection 401 */
export function assertSessionClaims(token: string, session: SessionConfig): void {
  try {
    const claims = SESSION_TOKEN.exec(token)?.[1];
    const { alg, typ = 'JWT', ...header } = decodeProtectedHeader(token);
    const isPossible = claims !== undefined && SESSION_ALGORITHMS.includes(alg ?? '') && SESSION_TYPE.test(typ);
    if (!isPossible) throw createInvalidCredential();
    // jose checks claims only after a signature, except those of a token that has none.
    const unsigned = `${encode({ ...header, alg: 'none' })}.${claims}.`;
    assertClaims(UnsecuredJWT.decode(unsigned, createVerifyOptions(session)).payload, session);
  } catch (error) {
    throw toTokenRejection(error);
  }
}

/** Converts the errors that a bad token causes. Any other error is returned as it is. */
export function toTokenRejection(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new Rejection('token_expired', 'The session token has expired.');
  // WebCrypto throws a DOMException for an unusable key.
  const ofToken = [errors.JOSEError, TypeError, DOMException].some((kind) => error instanceof kind);
  return ofToken ? createInvalidCredential() : error;
}

/** Checks what jose does not check. */
function assertClaims(payload: JWTPayload, { authorizedParties, maxSeconds }: SessionConfig): void {
  const { sub, azp } = payload;
  const isOfParty = authorizedParties.length === 0 || authorizedParties.some((party) => party === azp);
  // jose checks that a subject exists, but not its type.
  const isOfUser = typeof sub === 'string' && sub !== '';
  if (!isOfUser || !isOfParty || !isWithinLifetime(payload, maxSeconds)) throw createInvalidCredential();
}

/** Whether the token was issued in the past, and its lifetime is allowed. */
function isWithinLifetime({ iat, exp }: JWTPayload, maxSeconds: number | null): boolean {
  const now = Date.now() / MS_PER_SECOND;
  return iat! <= now + CLOCK_TOLERANCE_SECONDS && (maxSeconds === null || exp! - iat! <= maxSeconds);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
