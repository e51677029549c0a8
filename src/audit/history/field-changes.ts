import { isSameJson } from '../../kernel/diff.js';
import { isEncryptedField, isSameAddress } from '../../kernel/encrypted-field.js';
import type { FieldChange, FieldChanges } from '../../kernel/field-changes.js';
import { isFreeForm } from '../../kernel/free-form-fields.js';

/**
 * Compares two documents field by field. A list of another length, and a field that only one of them has, is one
 * change. Takes a time that is proportional to the size of the documents.
 */
export function findChanges(before: object | null, after: object | null): FieldChanges {
  return Object.fromEntries(compareFields('', before ?? {}, after ?? {}));
}

function* compareFields(path: string, before: object, after: object): Iterable<[string, FieldChange]> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inner = path === '' ? name : `${path}.${name}`;
    const values = [before, after].map((object) => (object as Readonly<Record<string, unknown>>)[name] ?? null);
    if (isFreeForm(name)) yield* compareWhole(inner, values[0], values[1]);
    else yield* compareValues(inner, values[0], values[1]);
  }
}

function* compareValues(path: string, before: unknown, after: unknown): Iterable<[string, FieldChange]> {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    for (const [i, value] of before.entries()) yield* compareValues(`${path}[${i}]`, value, after[i]);
  else if (hasFields(before) && hasFields(after)) yield* compareFields(path, before, after);
  else yield* compareWhole(path, before, after);
}

function* compareWhole(path: string, before: unknown, after: unknown): Iterable<[string, FieldChange]> {
  if (!isSameValue(before, after)) yield [path, { before, after }];
}

/** The ciphertext of a field differs at every encryption; its hash and its subject do not. */
function isSameValue(before: unknown, after: unknown): boolean {
  if (isEncryptedField(before) && isEncryptedField(after)) return isSameAddress(before, after);
  return isSameJson(before, after);
}

/** An object with free-form content is one value unless it is the document. */
function hasFields(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isEncryptedField(value)) return false;
  return !Object.keys(value).some(isFreeForm);
}
