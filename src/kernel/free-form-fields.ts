/**
 * Fields with arbitrary content from a caller. An encrypted field in them is a copy: to decrypt it would show one caller
 * another caller's data.
 */
const FREE_FORM_FIELDS = new Set(['metadata', 'attachments']);

export function isFreeForm(name: string): boolean {
  return FREE_FORM_FIELDS.has(name);
}
