import { isSameJson } from '../../kernel/diff.js';
import { isEncryptedField } from '../../kernel/encrypted-field.js';
import type { FieldChanges } from '../../kernel/field-changes.js';
import { isFreeForm } from '../../kernel/free-form-fields.js';

/** The data and the changes of an event together. The rest of 256 KiB is for the other members of the envelope. */
const MAX_BYTES = 254 * 1024;
/** Every change moves it to the time of the event. */
const TIME_OF_CHANGE = 'updated_at';

/** Returns the fields with another value after the change. A missing field is null. */
export function findFieldChanges(before: object, after: object): FieldChanges {
  const [earlier, later] = [toRecord(before), toRecord(after)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== TIME_OF_CHANGE);
  const values = names.map((name) => [name, { before: earlier[name] ?? null, after: later[name] ?? null }] as const);
  return Object.fromEntries(values.filter(([name, { before, after }]) => !isSame(name, before, after)));
}

function toRecord(document: object): Readonly<Record<string, unknown>> {
  return { ...document };
}

/** The ciphertext of a personal field differs at every encryption; its hash does not. */
function isSame(name: string, before: unknown, after: unknown): boolean {
  return isFreeForm(name) ? isSameJson(before, after) : isSameJson(toHashes(before), toHashes(after));
}

function toHashes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner: unknown) => (isEncryptedField(inner) ? inner.hash : inner)));
}

/** Returns null when an event with these changes would be too large to send, although its data alone is not. */
export function limitChanges(data: object, changes: FieldChanges): FieldChanges | null {
  return Buffer.byteLength(JSON.stringify({ data, changes })) > MAX_BYTES ? null : changes;
}
