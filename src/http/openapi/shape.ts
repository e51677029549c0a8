import type { Sealed } from '../../kernel/sealed.js';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** How a `T` is written in an answer. */
export interface Shape<T> {
  readonly schema: Schema;
  /** May be left out of the object that it is a field of. */
  readonly optional?: true;
  /** Never there: holds the type, exactly. */
  readonly '~type'?: (value: T) => T;
}

/** A resource of the API: its name in the document, and how it is written. */
export interface Resource {
  readonly name: string;
  readonly schema: Schema;
}

/** A document as it leaves the service: sealed fields are opened (null once their key is gone), hidden ones are left out. */
type Written<D> = D extends Sealed
  ? string | null
  : D extends readonly (infer I)[]
    ? readonly Written<I>[]
    : string extends keyof D
      ? D
      : D extends object
        ? { readonly [K in keyof D as K extends `_${string}` ? never : K]: Written<D[K]> }
        : D;

/** A shape for each field of `T`: one that is forgotten, or is of another type, fails to compile. */
export type Fields<T> = { readonly [K in keyof T]-?: Shape<T[K]> };

export const text: Shape<string> = { schema: { type: 'string' } };
export const flag: Shape<boolean> = { schema: { type: 'boolean' } };
export const whole: Shape<number> = { schema: { type: 'integer' } };
export const time: Shape<string> = { schema: { type: 'string', format: 'date-time' } };
export const uri: Shape<string> = { schema: { type: 'string', format: 'uri' } };
export const personal: Shape<string | null> = { schema: { type: ['string', 'null'] } };
export const currency: Shape<string> = { schema: { type: 'string', pattern: '^[A-Z]{3}$' } };
/** What the caller has put in, given back as it came. */
export const free: Shape<Readonly<Record<string, unknown>>> = { schema: { type: 'object', additionalProperties: true } };
/** Texts by their names. */
export const texts: Shape<Readonly<Record<string, string>>> = { schema: { type: 'object', additionalProperties: { type: 'string' } } };
export const nothing: Shape<null> = { schema: { type: 'null' } };

export function id(prefix: string): Shape<string> {
  return { schema: { type: 'string', pattern: `^${prefix}_[A-Za-z0-9_.-]+$` } };
}

/** A text such as this one. */
export function like(example: string): Shape<string> {
  return { schema: { type: 'string', examples: [example] } };
}

export function one<const T extends string>(...values: readonly T[]): Shape<T> {
  return { schema: { type: 'string', enum: values } };
}

export function maybe<T>({ schema }: Shape<T>): Shape<T | null> {
  return { schema: orNull(schema) };
}

/** A field that is left out rather than null. */
export function sometimes<T>({ schema }: Shape<T>): Shape<T | undefined> {
  return { schema, optional: true };
}

export function list<T>({ schema }: Shape<T>): Shape<readonly T[]> {
  return { schema: { type: 'array', items: schema } };
}

/** With a personal field in it, it also says when that has been erased. */
export function object<T extends object>(fields: Fields<T>): Shape<T> {
  const shapes = Object.entries(fields as Readonly<Record<string, Shape<unknown>>>);
  const erased = shapes.some(([, shape]) => shape === personal) ? { erased: { const: true } } : {};
  return {
    schema: {
      type: 'object',
      required: shapes.filter(([, { optional }]) => optional === undefined).map(([name]) => name),
      properties: { ...Object.fromEntries(shapes.map(([name, { schema }]) => [name, schema])), ...erased },
    },
  };
}

export function refer<const O extends string>(to: O, prefix: string): Shape<{ readonly object: O; readonly id: string }> {
  return object({ object: one(to), id: id(prefix) });
}

/** How the documents `D` are written. */
export function resource<D extends object>(name: string, fields: Fields<Written<D>>): Resource {
  return { name, schema: object(fields as Fields<object>).schema };
}

/** The one answer that tells a secret has it beside the resource's own fields; a repetition is without it. */
export function withSecret({ name, schema }: Resource, secret: string): Resource {
  const properties = { ...(schema.properties as object), [secret]: text.schema };
  return { name: `${name}WithSecret`, schema: { ...schema, properties } };
}

/** What is shown depends on who asks. */
export function either(name: string, ...resources: readonly Resource[]): Resource {
  return { name, schema: { anyOf: resources.map(({ schema }) => schema) } };
}

export function orNull({ type, enum: values, ...rest }: Schema): Schema {
  const types = type === undefined ? {} : { type: [type, 'null'] };
  return { ...types, ...(values === undefined ? {} : { enum: [...(values as unknown[]), null] }), ...rest };
}

/** What remains of `orNull` once null is ruled out. */
export function notNull({ type, enum: values, ...rest }: Schema): Schema {
  const types = type === undefined ? {} : { type: Array.isArray(type) ? (type as unknown[])[0] : type };
  return { ...types, ...(values === undefined ? {} : { enum: (values as unknown[]).filter((value) => value !== null) }), ...rest };
}
