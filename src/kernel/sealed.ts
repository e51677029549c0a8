/**
 * A personal field (e-mail, name) as events and documents hold it. `box` opens with the subject's key alone, so forgetting a subject
 * is destroying a key; `hash` is keyed and of the normalised text, for comparing and looking up.
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

/** Trimmed and lower-cased: how addresses are compared everywhere. */
export function normalisedEmail(email: string): string {
  return email.trim().toLowerCase();
}
