import type { Buyer } from './buyer.js';
import type { CartDiscount } from './cart-discount.js';

/** The offer that fills a cart, and its buyer. */
export interface CartOffer {
  readonly offerId: string;
  readonly buyerId: string;
}

/** The fields that the creator of a cart may set. */
export interface CartContent {
  readonly currency: string | null;
  readonly buyer: Buyer | null;
  /** Older events do not have it. */
  readonly discount?: CartDiscount | null;
  /** Missing without an offer. */
  readonly offer?: CartOffer | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly externalReference: string | null;
  readonly redirectUrl: string | null;
}
