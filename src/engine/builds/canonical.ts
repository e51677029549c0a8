/** Returns JSON with sorted object keys, so that equal documents are equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(object: object): object {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
