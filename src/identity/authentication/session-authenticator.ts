import { Injectable } from '@nestjs/common';
import { type JWTPayload, jwtVerify } from 'jose';
import { Config } from '../../config/config.js';
import type { Caller } from '../../kernel/caller.js';
import { hasInvisible, MAX_EMAIL_CHARACTERS } from '../../kernel/text.js';
import { Users } from '../users.js';
import { assertSessionClaims, createVerifyOptions, toTokenRejection } from './session-claims.js';
import { SessionJwks } from './session-jwks.js';

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

  /** Checks a token without a key. @throws Rejection 401 */
  assertForm(token: string): void {
    assertSessionClaims(token, this.config.session);
  }

  private async verify(token: string): Promise<JWTPayload> {
    this.assertForm(token);
    const { payload } = await jwtVerify(token, this.keys.find, createVerifyOptions(this.config.session)).catch(
      (error: unknown) => {
        throw toTokenRejection(error);
      },
    );
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
