import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../engine/encryption/keys.js';
import { Streams } from '../engine/streams/streams.js';
import { CART_TOKEN, CartTokens, type OpenedCart } from '../identity/authentication/cart-tokens.js';
import { cartDecider } from './domain/cart.js';

const PREFIX = 'ct_';
const SECRET_BYTES = 32;

/** Issues tokens of the form `ct_<cart id>_<32 random bytes>`. Only a keyed digest is stored, in the cart's stream. */
@Injectable()
export class CartTokenIssuer extends CartTokens {
  constructor(
    private readonly streams: Streams,
    private readonly keys: Keys,
  ) {
    super();
  }

  mint(cartId: string): string {
    return `${PREFIX}${cartId.replace(/^cart_/, '')}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  }

  hash(token: string): string {
    return this.keys.digest('cart-token', token).toString('base64url');
  }

  private hashWithEveryKey(token: string): string[] {
    return this.keys.digestWithAll('cart-token', token).map((digest) => digest.toString('base64url'));
  }

  async resolve(token: string): Promise<OpenedCart | null> {
    const id = CART_TOKEN.exec(token)?.[1];
    if (id === undefined) return null;
    const found = await this.streams.loadState(cartDecider, `cart_${id}`);
    if (
      found.status === 'unknown' ||
      !this.hashWithEveryKey(token).some((hash) => isEqual(hash, found.owner.tokenHash))
    )
      return null;
    return { cart: found.id, business: found.owner.businessId, mode: found.owner.mode };
  }
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
