/**
 * Returns the value as its JSON text would be read: keys with undefined are missing. It is several times faster than
 * `JSON.parse(JSON.stringify(value))`, which it uses for everything that is neither plain nor a list. A `toJSON` method
 * gets no key, and that of a list is ignored.
 */
export function copyAsJson(value: object): object {
  return copyObject(value) as object;
}

function copyObject(value: object): unknown {
  if (Array.isArray(value)) return Array.from(value, (item: unknown) => copyValue(item) ?? null);
  if (Object.getPrototypeOf(value) !== Object.prototype || 'toJSON' in value) return copyThroughText(value);

  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return copyThroughText(value);
    const member = copyValue((value as Readonly<Record<string, unknown>>)[key]);
    if (member !== undefined) copy[key] = member;
  }
  return copy;
}

function copyValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      // JSON has no infinite numbers and no negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      return value === null ? null : copyObject(value);
    default:
      return copyThroughText(value);
  }
}

function copyThroughText(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}
