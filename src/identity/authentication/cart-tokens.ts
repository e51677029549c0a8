import type { Mode } from '../../kernel/event.js';

/** `ct_<id of the cart>_<32 bytes in base64url>`: the last character stands for 4 bits. The group is the id. */
export const CART_TOKEN = /^ct_([0-9a-z]{22,26})_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

export interface OpenedCart {
  readonly cart: string;
  readonly business: string;
  readonly mode: Mode;
}

/** Resolves cart tokens, which are credentials. A global module of the area with carts provides the implementation. */
export abstract class CartTokens {
  /** Returns null for an invalid token. */
  abstract resolve(token: string): Promise<OpenedCart | null>;
}
