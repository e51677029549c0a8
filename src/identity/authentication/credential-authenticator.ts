import { Injectable, Optional } from '@nestjs/common';
import { Authenticator } from '../../kernel/authenticator.js';
import type { Caller } from '../../kernel/caller.js';
import { Rejection } from '../../kernel/rejection.js';
import { ApiKeyAuthenticator } from './api-key-authenticator.js';
import { hasKeyPrefix, isWellFormedKey } from './api-key-format.js';
import { CART_TOKEN, CartTokens } from './cart-tokens.js';
import { createInvalidCredential, parseBearer } from './credential-form.js';
import { SessionAuthenticator } from './session-authenticator.js';

const CART_TOKEN_PREFIX = 'ct_';

/** Authenticates bearer credentials by their kind. */
@Injectable()
export class CredentialAuthenticator extends Authenticator {
  constructor(
    private readonly keys: ApiKeyAuthenticator,
    private readonly sessions: SessionAuthenticator,
    @Optional() private readonly cartTokens?: CartTokens,
  ) {
    super();
  }

  assertForm(authorization: string): void {
    const token = parseBearer(authorization);
    if (!hasKeyPrefix(token) && !token.startsWith(CART_TOKEN_PREFIX)) this.sessions.assertForm(token);
    else if (!isWellFormedKey(token) && !CART_TOKEN.test(token)) throw createInvalidCredential();
  }

  async authenticate(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined)
      throw new Rejection('authentication_required', 'Send a credential: Authorization: Bearer <token>.');
    const token = parseBearer(authorization);
    if (hasKeyPrefix(token)) return this.keys.authenticate(token);
    if (token.startsWith(CART_TOKEN_PREFIX)) return this.authenticateCart(token);
    return this.sessions.authenticate(token);
  }

  private async authenticateCart(token: string): Promise<Caller> {
    const openedCart = (await this.cartTokens?.resolve(token)) ?? null;
    if (openedCart === null) throw new Rejection('invalid_credentials', 'The cart token is not valid.');
    return {
      kind: 'cart_token',
      actor: { type: 'cart', id: openedCart.cart },
      user: null,
      reviewer: false,
      ...openedCart,
    };
  }
}
