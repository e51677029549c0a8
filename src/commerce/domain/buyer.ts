import type { EncryptedField } from '../../kernel/encrypted-field.js';
import { idOf } from '../../kernel/ids.js';

export interface Buyer {
  readonly id: string;
  readonly email: EncryptedField;
  readonly name: EncryptedField | null;
}

/** Creates the buyer. The id depends only on the business and the e-mail address. */
export function createBuyer(businessId: string, email: EncryptedField, name: EncryptedField | null): Buyer {
  return { id: idOf('buy', 0, businessId, email.hash), email, name };
}

/** Compares the hashes, because the ciphertext differs at every encryption. */
export function isSameBuyer(a: Buyer | null, b: Buyer | null): boolean {
  return a?.id === b?.id && a?.name?.hash === b?.name?.hash;
}
