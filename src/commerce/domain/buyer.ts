import { idOf } from '../../kernel/ids.js';
import type { Sealed } from '../../kernel/sealed.js';

export interface Buyer {
  readonly id: string;
  readonly email: Sealed;
  readonly name: Sealed | null;
}

/** One address is one buyer of a business, whenever it buys. */
export function buyerOf(businessId: string, email: Sealed, name: Sealed | null): Buyer {
  return { id: idOf('buy', 0, businessId, email.hash), email, name };
}

/** Boxes differ at every sealing; the hashes tell whether the text does. */
export function sameBuyer(a: Buyer | null, b: Buyer | null): boolean {
  return a?.id === b?.id && a?.name?.hash === b?.name?.hash;
}
