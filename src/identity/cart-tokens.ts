import type { Mode } from '../kernel/event.js';

/** The one cart that a token opens. */
export interface OpenedCart {
  readonly cart: string;
  readonly business: string;
  readonly mode: Mode;
}

/** Cart tokens are credentials; whoever keeps carts knows them. Provided by a global module, so that the edge can ask. */
export abstract class CartTokens {
  /** Null for a token that opens nothing. */
  abstract resolve(token: string): Promise<OpenedCart | null>;
}
