import { domainToASCII } from 'node:url';

const ASCII = /^[\x20-\x7e]*$/;

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

/** Returns the data subject whose key decrypts the field: it begins the box. */
export function subjectOfBox({ box }: EncryptedField): string {
  return box.split('.')[0]!;
}

/** Whether both are the address of one data subject. An address that is given again after its erasure is another one. */
export function isSameAddress(a: EncryptedField | null, b: EncryptedField | null): boolean {
  if (a === null || b === null) return a === b;
  return a.hash === b.hash && subjectOfBox(a) === subjectOfBox(b);
}

/**
 * Trims and lower-cases an e-mail address, as all comparisons of addresses need it. A letter with an accent has one form
 * (NFC), as mail servers expect, so that addresses which look the same are the same.
 */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC');
}

/**
 * Returns the form in which addresses are compared and found: an international domain as its A-label (`xn--…`), because
 * both forms name one mailbox. Other texts are only normalised.
 */
export function toComparableEmail(email: string): string {
  const normalised = normaliseEmail(email);
  const at = normalised.lastIndexOf('@') + 1;
  const domain = normalised.slice(at);
  return at === 0 || ASCII.test(domain) ? normalised : normalised.slice(0, at) + (domainToASCII(domain) || domain);
}
