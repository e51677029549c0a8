import type { EncryptedField } from './encrypted-field.js';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  readonly [keyword: string | symbol]: unknown;
}

/** The schema of a field in a response. `T` is the type of the field in the document. */
export interface Schema<T> {
  readonly schema: JsonSchema;
  /** The field may be missing. */
  readonly optional?: true;
  /** The field is personal: it is null once its subject is forgotten. */
  readonly personal?: true;
  /** Phantom property: makes `T` invariant; never set. */
  readonly '~type'?: (value: T) => T;
}

/** A resource of the API: its name in the OpenAPI document and its JSON Schema. `D` is the type of its document. */
export interface Resource<D = unknown> {
  readonly name: string;
  readonly schema: JsonSchema;
  /** Phantom property: never set. */
  readonly '~document'?: D;
}

/** The key of the name with which the OpenAPI document lists a schema once. References stand in all other places. */
export const COMPONENT = Symbol('component');

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- shapes of different types side by side */
type Fields = Readonly<Record<string, Schema<any>>>;

export type ValueOf<S> = S extends Schema<infer T> ? T : never;

export type ObjectOf<F extends Fields> = {
  readonly [K in keyof F as F[K] extends { readonly optional: true } ? never : K]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly optional: true } ? K : never]?: Exclude<ValueOf<F[K]>, undefined>;
};

/** The fields of a resource's document that are shown. Fields that begin with `_` are for finding it, and are declared beside it. */
export type DocumentOf<R> = R extends Resource<infer D> ? D : never;

export const string: Schema<string> = { schema: { type: 'string' } };
export const boolean: Schema<boolean> = { schema: { type: 'boolean' } };
export const integer: Schema<number> = { schema: { type: 'integer' } };
export const dateTime: Schema<string> = { schema: { type: 'string', format: 'date-time' } };
export const uri: Schema<string> = { schema: { type: 'string', format: 'uri' } };
export const personalString: Schema<EncryptedField> & { readonly personal: true } = {
  schema: { type: ['string', 'null'] },
  personal: true,
};
/** A list of personal fields. Those of forgotten persons are left out of it. */
export const personalStrings: Schema<readonly EncryptedField[]> = {
  schema: { type: 'array', items: { type: 'string' } },
};
export const currency: Schema<string> = {
  schema: {
    type: 'string',
    pattern: '^[A-Z]{3}$',
    description: 'The currency, as an ISO 4217 code; amounts in cents are in its smallest unit.',
    examples: ['EUR'],
  },
};
/** An object of the caller, returned unchanged. */
export const freeForm: Schema<Readonly<Record<string, unknown>>> = {
  schema: { type: 'object', additionalProperties: true },
};
export const stringMap: Schema<Readonly<Record<string, string>>> = {
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

export function id(prefix: string): Schema<string> {
  return { schema: { type: 'string', pattern: `^${prefix}_[A-Za-z0-9_.-]+$` } };
}

/**
 * Describes a field of a resource for the OpenAPI document, beside its declaration.
 *
 * @param description one sentence; it says the unit, and what null means
 * @param value an example, where the type alone does not make a good one
 */
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- a field of any type */
export function describe<S extends Schema<any>>(field: S, description: string, value?: unknown): S {
  return { ...field, schema: { ...field.schema, description, ...(value !== undefined && { examples: [value] }) } };
}

/** A text such as this one. */
export function example(value: string): Schema<string> {
  return { schema: { type: 'string', examples: [value] } };
}

export function enumOf<const T extends string>(...values: readonly T[]): Schema<T> {
  return { schema: { type: 'string', enum: values } };
}

export function nullable<T>({ schema, personal }: Schema<T>): Schema<T | null> {
  return { schema: addNull(schema), ...(personal && { personal }) };
}

/** A field that is always null, in the place of a field that can have a value elsewhere. */
export function alwaysNull({ schema }: Schema<string>): Schema<null> {
  return { schema: addNull(schema) };
}

/** A field that is left out rather than null. */
export function optional<T>({ schema }: Schema<T>): Schema<T | undefined> & { readonly optional: true } {
  return { schema, optional: true };
}

export function list<T>({ schema }: Schema<T>): Schema<readonly T[]> {
  return { schema: { type: 'array', items: schema } };
}

/** An object with a personal field gets the field `erased` when its subject is forgotten. */
export function object<const F extends Fields>(fields: F): Schema<ObjectOf<F>> {
  return { schema: objectSchema(fields) };
}

/** The mark of an object with personal fields whose person is forgotten. */
export const ERASED = describe(boolean, 'True once the person is forgotten; left out before.', true);

function objectSchema(fields: Fields): JsonSchema {
  const schemas = Object.entries(fields);
  const erased = schemas.some(([, { personal }]) => personal) ? { erased: ERASED.schema } : {};
  return {
    type: 'object',
    required: schemas.filter(([, { optional }]) => optional === undefined).map(([name]) => name),
    properties: { ...Object.fromEntries(schemas.map(([name, { schema }]) => [name, schema])), ...erased },
  };
}

/** The description of the field `object` of every resource. */
export const KIND = 'The kind of this object.';

/** Gives a shape that several resources contain a name in the OpenAPI document. */
/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- a field of any type */
export function named<S extends Schema<any>>(name: string, field: S): S {
  return { ...field, schema: { ...field.schema, [COMPONENT]: name } };
}

export function ref<const O extends string>(
  to: O,
  prefix: string,
): Schema<{ readonly object: O; readonly id: string }> {
  const fields = { object: describe(enumOf(to), KIND), id: describe(id(prefix), `The id of the ${toWords(to)}.`) };
  return named(`${toPascalCase(to)}Reference`, object(fields));
}

function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function toWords(name: string): string {
  return name.replaceAll('_', ' ');
}

/** A resource with these fields. Its document's type follows: `DocumentOf<typeof productResource>`. */
export function resource<const F extends Fields>(name: string, fields: F): Resource<ObjectOf<F>> {
  return toResource(name, objectSchema(fields));
}

function toResource<D>(name: string, schema: JsonSchema): Resource<D> {
  return { name, schema: { ...schema, [COMPONENT]: name } };
}

/** A field that holds another resource as a whole. */
export function nested<D>({ schema }: Resource<D>): Schema<D> {
  return { schema };
}

const SECRET = describe(string, 'The secret, which the first response alone contains: store it now.');

/** Adds the secret, which only the first response contains; a repeated response omits it. */
export function withSecret({ name, schema }: Resource, secret: string): Resource {
  const properties = { ...(schema.properties as object), [secret]: SECRET.schema };
  return toResource(`${name}WithSecret`, { ...schema, properties });
}

/** Returns a schema for a response whose form depends on the caller. */
export function anyOf(name: string, ...resources: readonly Resource[]): Resource {
  return toResource(name, { anyOf: resources.map(({ schema }) => schema) });
}

export function addNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  const types = type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] };
  return { ...types, ...(values === undefined ? {} : { enum: [...(values as unknown[]), null] }), ...rest };
}

/** Returns the schema without null, as the reverse of `addNull`. */
export function removeNull({ type, enum: values, ...rest }: JsonSchema): JsonSchema {
  const types = type === undefined ? {} : { type: Array.isArray(type) ? (type as unknown[])[0] : type };
  return {
    ...types,
    ...(values === undefined ? {} : { enum: (values as unknown[]).filter((value) => value !== null) }),
    ...rest,
  };
}
