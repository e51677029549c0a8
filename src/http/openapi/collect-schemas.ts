type Schemas = Readonly<Record<string, unknown>>;

/** Returns the schemas to which the value refers, directly or through other schemas, as AsyncAPI reads them. */
export function collectSchemas(value: unknown, schemas: Schemas, found: Record<string, unknown> = {}): Schemas {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    if (!Object.hasOwn(found, name!)) {
      found[name!] = keepBesideReference(schemas[name!]);
      collectSchemas(schemas[name!], schemas, found);
    }
  return found;
}

/** AsyncAPI ignores what stands beside a reference, so that the reference moves into an `allOf`. */
function keepBesideReference(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keepBesideReference);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, keepBesideReference(inner)]),
  );
  if ($ref === undefined) return rest;
  return Object.keys(rest).length === 0 ? { $ref } : { allOf: [{ $ref }], ...rest };
}
