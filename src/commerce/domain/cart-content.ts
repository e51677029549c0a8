import type { Buyer } from './buyer.js';
import type { CartDiscount } from './cart-discount.js';

/** The fields that the creator of a cart may set. */
export interface CartContent {
  readonly currency: string | null;
  readonly buyer: Buyer | null;
  /** Older events do not have it. */
  readonly discount?: CartDiscount | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly externalReference: string | null;
  readonly redirectUrl: string | null;
}
