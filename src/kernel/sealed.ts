/**
 * An encrypted personal field (e-mail, name) in events and documents. `box` can be decrypted only with the key of the
 * data subject, so destroying the key erases the data. `hash` is a keyed hash of the normalised text, for comparison
 * and lookup.
 */
export interface Sealed {
  readonly box: string;
  readonly hash: string;
}

export function isSealed(value: unknown): value is Sealed {
  if (typeof value !== 'object' || value === null) return false;
  const { box, hash } = value as Partial<Sealed>;
  return typeof box === 'string' && typeof hash === 'string' && Object.keys(value).length === 2;
}

/** Trims and lower-cases an e-mail address, as all comparisons of addresses need it. */
export function normalisedEmail(email: string): string {
  return email.trim().toLowerCase();
}
