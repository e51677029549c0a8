import { Injectable } from '@nestjs/common';
import { importJWK, SignJWT } from 'jose';
import { Config } from '../../config/config.js';
import { Clock } from '../../kernel/clock.js';

export interface TokenOptions {
  readonly subject: string;
  readonly email: string | null;
  readonly reviewer: boolean;
  readonly expiresInSeconds: number;
}

/** Signs session tokens with the development key pair, which exists only when no identity provider is configured. */
@Injectable()
export class DevelopmentTokens {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async sign({ subject, email, reviewer, expiresInSeconds }: TokenOptions): Promise<string> {
    const { keys, issuer, audience, authorizedParties } = this.config.session;
    if (!('development' in keys)) throw new Error('SESSION_JWKS is set: tokens come from the identity provider');
    const now = Math.floor(this.clock.now() / 1000);
    const claims = {
      ...(email !== null && { email, email_verified: true }),
      ...(reviewer && { platform_role: 'reviewer' }),
      ...(authorizedParties[0] !== undefined && { azp: authorizedParties[0] }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: keys.development.alg, kid: keys.development.kid })
      .setSubject(subject)
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + expiresInSeconds)
      .sign(await importJWK(keys.development));
  }
}
