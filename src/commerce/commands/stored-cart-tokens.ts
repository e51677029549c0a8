import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keys } from '../../engine/sealing/keys.js';
import { Streams } from '../../engine/streams/streams.js';
import { CartTokens, type OpenedCart } from '../../identity/cart-tokens.js';
import { cart } from '../domain/cart.js';

const PREFIX = 'ct_';
const SECRET_BYTES = 32;
const FORM = /^ct_([0-9a-z]{22,26})_[A-Za-z0-9_-]{43}$/;

/** Issues tokens of the form `ct_<cart id>_<32 random bytes>`. Only a keyed digest is stored, in the cart's stream. */
@Injectable()
export class StoredCartTokens extends CartTokens {
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

  private hashes(token: string): string[] {
    return this.keys.digests('cart-token', token).map((digest) => digest.toString('base64url'));
  }

  async resolve(token: string): Promise<OpenedCart | null> {
    const id = FORM.exec(token)?.[1];
    if (id === undefined) return null;
    const found = await this.streams.state(cart, `cart_${id}`);
    if (found.status === 'unknown' || !this.hashes(token).some((hash) => same(hash, found.owner.tokenHash))) return null;
    return { cart: found.id, business: found.owner.businessId, mode: found.owner.mode };
  }
}

function same(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
