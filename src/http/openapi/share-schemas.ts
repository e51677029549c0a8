import { COMPONENT, type JsonSchema, removeNull } from '../../kernel/schema.js';

/** The keywords of one use of a schema. They stand beside the reference. */
const USE_KEYWORDS = ['description', 'examples', 'default'] as const;

type Schemas = Map<string, unknown>;

/**
 * Moves each named schema of the document to its components, and leaves references. Schemas with the same name must be
 * the same, apart from the keywords of one use.
 *
 * @throws Error when two different schemas have the same name
 */
export function shareSchemas(document: object): object {
  const schemas: Schemas = new Map();
  const { components, ...rest } = replaceInner(document, schemas) as { readonly components: object };
  const sorted = [...schemas].sort(([one], [other]) => (one < other ? -1 : 1));
  return { ...rest, components: { ...components, schemas: Object.fromEntries(sorted) } };
}

type Values = Readonly<Record<string | symbol, unknown>>;

function replaceNamed(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceNamed(each, schemas));
  if (typeof value !== 'object' || value === null) return value;

  const name = (value as Values)[COMPONENT] as string | undefined;
  return name === undefined ? replaceInner(value, schemas) : toReference(name, value as JsonSchema, schemas);
}

function replaceInner(value: object, schemas: Schemas): object {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceNamed(inner, schemas)]));
}

function toReference(name: string, schema: JsonSchema, schemas: Schemas): object {
  const use = Object.fromEntries(USE_KEYWORDS.filter((key) => key in schema).map((key) => [key, schema[key]]));
  const shape = Object.fromEntries(Object.entries(removeNull(schema)).filter(([key]) => !(key in use)));
  addSchema(name, replaceInner(shape, schemas), schemas);
  const reference = { $ref: `#/components/schemas/${name}` };
  const isNullable = [schema.type].flat().includes('null');
  return isNullable ? { anyOf: [reference, { type: 'null' }], ...use } : { ...reference, ...use };
}

function addSchema(name: string, shape: object, schemas: Schemas): void {
  const known = schemas.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(shape))
    throw new Error(`Two different schemas have the name ${name}`);
  schemas.set(name, shape);
}
