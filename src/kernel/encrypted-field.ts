/**
 * An encrypted personal field (e-mail, name) in events and documents. `box` can be decrypted only with the key of the
 * data subject, so destroying the key erases the data. `hash` is a keyed hash of the normalised text, for comparison
 * and lookup.
 */
export interface EncryptedField {
  readonly box: string;
  readonly hash: string;
}

export function isEncryptedField(value: unknown): value is EncryptedField {
  if (typeof value !== 'object' || value === null) return false;
  const { box, hash } = value as Partial<EncryptedField>;
  return typeof box === 'string' && typeof hash === 'string' && Object.keys(value).length === 2;
}

/**
 * Trims and lower-cases an e-mail address, as all comparisons of addresses need it. A letter with an accent has one form
 * (NFC), as mail servers expect, so that addresses which look the same are the same.
 */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}
