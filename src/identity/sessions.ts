import { Injectable } from '@nestjs/common';
import { errors, jwtVerify, type JWTPayload } from 'jose';
import { Config } from '../config.js';
import { Rejection } from '../kernel/rejection.js';
import type { Caller } from './caller.js';
import { SESSION_ALGORITHMS } from './key-set.js';
import { SessionKeys } from './session-keys.js';
import { Users } from './users.js';

const REQUIRED_CLAIMS = ['sub', 'exp', 'iat'];
const TOLERANCE_SECONDS = 5;
const MS = 1_000;
const EMAIL_MAX_LENGTH = 254;
/** Providers sign other tokens with the same keys, such as `logout+jwt`: RFC 8725, 3.11. */
const SESSION_TYPE = /^(application\/)?(at\+)?jwt$/i;

/** Authenticates the session tokens of the identity provider. */
@Injectable()
export class Sessions {
  constructor(
    private readonly config: Config,
    private readonly keys: SessionKeys,
    private readonly users: Users,
  ) {}

  /** @throws Rejection 401, or 503 while no keys are available */
  async callerOf(token: string): Promise<Caller> {
    const claims = await this.verified(token);
    const subject = claims.sub!;
    const email = verifiedEmail(claims);
    const id = await this.users.ofSubject(subject, email);
    return {
      kind: 'session',
      actor: { type: 'user', id },
      business: null,
      mode: 'live',
      user: { id, email },
      reviewer: claims.platform_role === 'reviewer' || this.config.platformReviewers.includes(subject),
      cart: null,
    };
  }

  private async verified(token: string): Promise<JWTPayload> {
    const { issuer, audience, authorizedParties, maxSeconds } = this.config.session;
    const options = {
      algorithms: SESSION_ALGORITHMS,
      issuer,
      audience,
      requiredClaims: REQUIRED_CLAIMS,
      clockTolerance: TOLERANCE_SECONDS,
    };
    const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, options).catch((error: unknown) => {
      throw refusalOf(error);
    });
    if (!SESSION_TYPE.test(protectedHeader.typ ?? 'JWT')) throw invalid();
    // jose checks that a subject exists, but not its type.
    if (typeof payload.sub !== 'string' || payload.sub === '') throw invalid();
    if (!isOfItsTime(payload, maxSeconds)) throw invalid();
    if (authorizedParties.length > 0 && !authorizedParties.some((party) => party === payload.azp)) throw invalid();
    return payload;
  }
}

function verifiedEmail({ email, email_verified }: JWTPayload): string | null {
  if (email_verified !== true || typeof email !== 'string') return null;
  const address = email.trim();
  return isAddress(address) ? address : null;
}

function isAddress(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && text.isWellFormed() && !text.includes('\u0000') && /.@./s.test(text);
}

/** Checks what jose does not check: that the token was issued in the past, and that its lifetime is allowed. */
function isOfItsTime({ iat, exp }: JWTPayload, maxSeconds: number | null): boolean {
  const now = Date.now() / MS;
  return iat! <= now + TOLERANCE_SECONDS && (maxSeconds === null || exp! - iat! <= maxSeconds);
}

function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new Rejection('token_expired', 'The session token has expired.');
  // WebCrypto throws a DOMException for an unusable key.
  const ofToken = [errors.JOSEError, TypeError, DOMException].some((kind) => error instanceof kind);
  return ofToken ? invalid() : error;
}

function invalid(): Rejection {
  return new Rejection(
    'invalid_credentials',
    'The credential is neither an API key (sk_…, rk_…), a cart token (ct_…) nor a valid session token.',
  );
}
