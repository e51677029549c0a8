import canonicalize from 'canonicalize';

/** JSON.stringify escapes half of a surrogate pair, which RFC 8785 forbids. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** The value has an object whose keys JSON.stringify does not write in the order in which they were added. */
class UnsortableKeys extends Error {}

/**
 * Encodes as JSON in the one form that RFC 8785 permits. JSON.stringify writes this form of an object with sorted keys in
 * about half the time that `canonicalize` needs.
 */
export function encodeCanonically(value: object): string {
  try {
    const text = JSON.stringify(sortKeys(value));
    return LONE_SURROGATE.test(text) ? canonicalize(value)! : text;
  } catch (error) {
    if (error instanceof UnsortableKeys) return canonicalize(value)!;
    throw error;
  }
}

/** @throws UnsortableKeys */
function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortKeys);
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new UnsortableKeys();

  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    if (key === '__proto__' || isDigit(key.charCodeAt(0))) throw new UnsortableKeys();
    sorted[key] = sortKeys((value as Readonly<Record<string, unknown>>)[key]);
  }
  return sorted;
}

/** An object lists the keys that are numbers before all others. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
