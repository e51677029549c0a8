import { Injectable, Optional } from '@nestjs/common';
import { Rejection } from '../kernel/rejection.js';
import type { Caller } from './caller.js';
import { CartTokens } from './cart-tokens.js';
import { KeyCredentials } from './key-credentials.js';
import { looksLikeKey } from './key-format.js';
import { Sessions } from './sessions.js';

const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i;
const CART_TOKEN = /^ct_/;

/** Returns the caller of a bearer credential. */
@Injectable()
export class Credentials {
  constructor(
    private readonly keys: KeyCredentials,
    private readonly sessions: Sessions,
    @Optional() private readonly cartTokens?: CartTokens,
  ) {}

  /** @throws Rejection 401 */
  async callerOf(authorization: string | undefined): Promise<Caller> {
    if (authorization === undefined) throw new Rejection('authentication_required', 'Send a credential: Authorization: Bearer <token>.');
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw new Rejection('invalid_credentials', 'The credential must be a bearer token.');
    if (looksLikeKey(token)) return this.keys.callerOf(token);
    if (CART_TOKEN.test(token)) return this.cartCaller(token);
    return this.sessions.callerOf(token);
  }

  private async cartCaller(token: string): Promise<Caller> {
    const holder = (await this.cartTokens?.resolve(token)) ?? null;
    if (holder === null) throw new Rejection('invalid_credentials', 'The cart token is not valid.');
    return { kind: 'cart_token', actor: { type: 'cart', id: holder.cart }, user: null, reviewer: false, ...holder };
  }
}
