import { idOf } from '../../kernel/ids.js';
import type { Sealed } from '../../kernel/sealed.js';

export interface Buyer {
  readonly id: string;
  readonly email: Sealed;
  readonly name: Sealed | null;
}

/** Creates the buyer. The id depends only on the business and the e-mail address. */
export function buyerOf(businessId: string, email: Sealed, name: Sealed | null): Buyer {
  return { id: idOf('buy', 0, businessId, email.hash), email, name };
}

/** Compares the hashes, because the ciphertext differs at every encryption. */
export function sameBuyer(a: Buyer | null, b: Buyer | null): boolean {
  return a?.id === b?.id && a?.name?.hash === b?.name?.hash;
}
