import type { Buyer } from './buyer.js';

/** The fields that the creator of a cart may set. */
export interface CartContent {
  readonly currency: string | null;
  readonly buyer: Buyer | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly externalReference: string | null;
  readonly redirectUrl: string | null;
}
