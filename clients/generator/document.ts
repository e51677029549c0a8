/** The parts of an OpenAPI document that the generator reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: DocumentOperation }>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly [member: string]: unknown;
}

export interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly (DocumentParameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Reference | DocumentResponse>>;
}

export interface DocumentResponse {
  readonly content?: Content;
  readonly 'x-problem-codes'?: readonly string[];
}

export interface DocumentParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

interface Reference {
  readonly $ref: string;
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Resolves a reference to `#/components/…`; returns other values unchanged. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | Reference): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [section, name] = value.$ref.split('/').slice(-2) as [string, string];
  return document.components[section]![name] as T;
}

/** Returns the name of the schema to which a schema refers. */
export function nameOf({ $ref }: JsonSchema): string {
  if ($ref === undefined) throw new Error('Expected a reference to a schema');
  return $ref.split('/').at(-1)!;
}

/**
 * Removes what the types do not need: the headers, which the client sets, and the responses with problems, which have
 * one type.
 */
export function reduceDocument(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  return {
    ...document,
    servers: [],
    paths: mapValues(document.paths, (methods) => mapValues(methods, (operation) => reduce(document, operation))),
    webhooks: mapValues(document.webhooks, ({ post }) => ({ post: reduce(document, post) })),
    components: { schemas: schemas! },
  };
}

function reduce(document: OpenApiDocument, operation: DocumentOperation): DocumentOperation {
  const parameters = operation.parameters.map((each) => resolve<DocumentParameter>(document, each));
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  return {
    ...operation,
    parameters: parameters.filter((each) => each.in !== 'header'),
    responses: Object.fromEntries(successes.map(([status, response]) => [status, { ...response, headers: {} }])),
  };
}

function mapValues<T, R>(values: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
