import { Injectable } from '@nestjs/common';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { Config } from '../../config/config.js';
import type { Caller } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { hasInvisible, MAX_EMAIL_CHARACTERS } from '../../kernel/text.js';
import { Users } from '../users.js';
import { createInvalidCredential } from './credential-form.js';
import { SESSION_ALGORITHMS } from './jwks.js';
import { SessionJwks } from './session-jwks.js';

const REQUIRED_TOKEN_CLAIMS = ['sub', 'exp', 'iat'];
const CLOCK_TOLERANCE_SECONDS = 5;
const MS_PER_SECOND = 1_000;
/** Providers sign other tokens with the same keys, such as `logout+jwt`: RFC 8725, 3.11. */
const SESSION_TYPE = /^(application\/)?(at\+)?jwt$/i;

/** Authenticates the session tokens of the identity provider. */
@Injectable()
export class SessionAuthenticator {
  constructor(
    private readonly config: Config,
    private readonly keys: SessionJwks,
    private readonly users: Users,
  ) {}

  /** @throws Rejection 401, or 503 while no keys are available */
  async authenticate(token: string): Promise<Caller> {
    const tokenClaims = await this.verify(token);
    const subject = tokenClaims.sub!;
    const verified = { subject, email: findVerifiedEmail(tokenClaims), issuedAt: tokenClaims.iat! };
    const { id, email } = await this.users.resolveSession(verified);
    return {
      kind: 'session',
      actor: { type: 'user', id },
      business: null,
      mode: 'live',
      user: { id, email },
      reviewer: tokenClaims.platform_role === 'reviewer' || this.config.platformReviewers.includes(subject),
      cart: null,
    };
  }

  private async verify(token: string): Promise<JWTPayload> {
    const { issuer, audience, authorizedParties, maxSeconds } = this.config.session;
    const options = {
      algorithms: SESSION_ALGORITHMS,
      issuer,
      audience,
      requiredClaims: REQUIRED_TOKEN_CLAIMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    };
    const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, options).catch((error: unknown) => {
      throw toTokenRejection(error);
    });
    if (!SESSION_TYPE.test(protectedHeader.typ ?? 'JWT')) throw createInvalidCredential();
    // jose checks that a subject exists, but not its type.
    if (typeof payload.sub !== 'string' || payload.sub === '') throw createInvalidCredential();
    if (!isWithinLifetime(payload, maxSeconds)) throw createInvalidCredential();
    if (authorizedParties.length > 0 && !authorizedParties.some((party) => party === payload.azp))
      throw createInvalidCredential();
    return payload;
  }
}

function findVerifiedEmail({ email, email_verified }: JWTPayload): string | null {
  if (email_verified !== true || typeof email !== 'string') return null;
  const address = email.trim();
  return isAddress(address) ? address : null;
}

function isAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARACTERS && text.isWellFormed() && !hasInvisible(text) && /.@./.test(text);
}

/** Checks what jose does not check: that the token was issued in the past, and that its lifetime is allowed. */
function isWithinLifetime({ iat, exp }: JWTPayload, maxSeconds: number | null): boolean {
  const now = Date.now() / MS_PER_SECOND;
  return iat! <= now + CLOCK_TOLERANCE_SECONDS && (maxSeconds === null || exp! - iat! <= maxSeconds);
}

function toTokenRejection(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new Rejection('token_expired', 'The session token has expired.');
  // WebCrypto throws a DOMException for an unusable key.
  const ofToken = [errors.JOSEError, TypeError, DOMException].some((kind) => error instanceof kind);
  return ofToken ? createInvalidCredential() : error;
}
