import type { Mode } from '../../kernel/event.js';

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
