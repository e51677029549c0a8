import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Mode } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';

export interface Buyer {
  readonly id: string;
  readonly email: EncryptedField;
  readonly name: EncryptedField | null;
}

/** The business and mode to which a buyer belongs. */
export interface BuyerOwner {
  readonly businessId: string;
  readonly mode: Mode;
}

export function buyerIdOf({ businessId, mode }: BuyerOwner, emailHash: string): string {
  return idOf('buy', 0, businessId, ...(mode === 'live' ? [] : [mode]), emailHash);
}

/** Returns the id of the buyer whose address was given again after an erasure. @param subject unique to that buyer */
export function buyerIdAfterErasure(subject: string): string {
  return idOf('buy', 0, subject);
}

/** Compares the hashes, because the ciphertext differs at every encryption. */
export function isSameBuyer(a: Buyer | null, b: Buyer | null): boolean {
  return a?.id === b?.id && a?.name?.hash === b?.name?.hash;
}
