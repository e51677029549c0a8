import { type EncryptedField, subjectOfBox } from '../../kernel/encrypted-field.js';

/** Separates the two parts of a subject; no digest contains it. */
const SCOPE_SEPARATOR = ':';
/** Separates a subject that was forgotten from the number of its erasures; no digest and no scope contains it. */
const ERASURE_SEPARATOR = '~';

/** Returns the subject of the box; that of its address in the scope, when an older version encrypted it without one. */
export function scopedSubjectOfBox(field: EncryptedField, scope: string): string {
  const subject = subjectOfBox(field);
  return subject.includes(SCOPE_SEPARATOR) ? subject : joinScope(subject, scope);
}

/** Returns the subject of the box's address everywhere. */
export function unscopedSubjectOfBox(field: EncryptedField): string {
  return unscope(subjectOfBox(field));
}

/** Returns the subject of the address alone. */
export function unscope(subject: string): string {
  return subject.split(SCOPE_SEPARATOR)[0]!;
}

export function joinScope(address: string, scope: string): string {
  return [address, scope].join(SCOPE_SEPARATOR);
}

/** Returns the name of a subject after its erasures; it is the subject itself while it was never forgotten. */
export function nameSubject(name: string, erasures: number): string {
  return erasures === 0 ? name : [name, erasures].join(ERASURE_SEPARATOR);
}

/** Returns the subject of the address before its first erasure. */
export function firstSubjectOf(address: string): string {
  return address.split(ERASURE_SEPARATOR)[0]!;
}

/** Whether the address, or its scope, was forgotten before this subject. */
export function isKnownAgain(subject: string): boolean {
  return subject.includes(ERASURE_SEPARATOR);
}

/** Returns the subjects whose keys a field of this subject needs: that of the address, and that of its scope. */
export function listKeyHolders(subject: string): readonly string[] {
  const end = subject.indexOf(SCOPE_SEPARATOR);
  return end === -1 ? [subject] : [subject.slice(0, end), subject];
}
