import { isFreeForm } from '../../kernel/free-form-fields.js';

/** Secrets, and digests by which secrets and addresses are looked up. The history never shows them. */
export const HIDDEN_DATA: readonly string[] = ['tokenHash', 'methodToken', 'secretId', 'subject', 'emailHash'];

/** Returns the data of an event without its secrets. Free-form fields stay as the caller sent them. */
export function toVisibleData<T>(data: T): T {
  if (Array.isArray(data)) return data.map((value: unknown) => toVisibleData(value)) as T;
  if (typeof data !== 'object' || data === null) return data;
  const shown = Object.entries(data).filter(([name]) => !HIDDEN_DATA.includes(name));
  return Object.fromEntries(
    shown.map(([name, value]) => [name, isFreeForm(name) ? (value as unknown) : toVisibleData<unknown>(value)]),
  ) as T;
}
