import {
  type DocumentOperation,
  type DocumentParameter,
  type JsonSchema,
  nameOf,
  type OpenApiDocument,
  resolve,
} from './document.ts';

/** One operation of the API, as a method of the client needs it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly area: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly string[];
  readonly hasQuery: boolean;
  readonly body: { readonly type: string; readonly required: boolean } | null;
  /** The type of `data`, or of one item of a list. */
  readonly resultType: string;
  readonly list: 'page' | 'cursor' | null;
  /** True when the service runs a repeated request with the same key once. */
  readonly isKeyed: boolean;
  /** The codes of problems that only some operations have. */
  readonly codes: readonly string[];
}

const JSON_TYPE = 'application/json';
const PROBLEM_TYPE = 'application/problem+json';
/** Codes that at least this part of all operations has are not listed at each operation. */
const COMMON_PART = 0.2;

export function readOperations(document: OpenApiDocument): Operation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => isJson(responses))
      .map(([method, operation]) => read(document, method, path, operation)),
  );
  const counts = new Map<string, number>();
  for (const code of operations.flatMap(({ codes }) => codes)) counts.set(code, (counts.get(code) ?? 0) + 1);
  const isCommon = (code: string) => counts.get(code)! >= operations.length * COMMON_PART;
  return operations.map((operation) => ({ ...operation, codes: operation.codes.filter((code) => !isCommon(code)) }));
}

function read(document: OpenApiDocument, method: string, path: string, operation: DocumentOperation): Operation {
  const parameters = operation.parameters.map((each) => resolve<DocumentParameter>(document, each));
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const body = operation.requestBody;
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    area: operation.tags[0]!,
    summary: operation.summary,
    description: operation.description,
    pathParameters: namesIn('path'),
    hasQuery: namesIn('query').length > 0,
    body: body === undefined ? null : { type: nameOf(body.content[JSON_TYPE]!.schema), required: body.required },
    ...readResult(operation),
    isKeyed: namesIn('header').includes('Idempotency-Key'),
    codes: readCodes(document, operation),
  };
}

/** The client has no method for the download of a file. */
function isJson(responses: DocumentOperation['responses']): boolean {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return successes.every(
    ([, response]) => JSON_TYPE in (response as { readonly content: Readonly<Record<string, unknown>> }).content,
  );
}

function readResult({ responses }: DocumentOperation): Pick<Operation, 'resultType' | 'list'> {
  const schemas = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(
      ([, response]) => (response as { content: Record<string, { schema: JsonSchema }> }).content[JSON_TYPE]!.schema,
    );
  const { data, pagination } = schemas[0]!.properties!;
  if (pagination !== undefined) {
    return { resultType: nameOf(data!.items!), list: nameOf(pagination) === 'PagePagination' ? 'page' : 'cursor' };
  }
  const types = new Set(schemas.map(({ properties }) => nameOf(properties!.data!)));
  return { resultType: [...types].join(' | '), list: null };
}

function readCodes(document: OpenApiDocument, { responses }: DocumentOperation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('4'))
    .flatMap(([, response]) => {
      const { content } = resolve<{ content?: Record<string, { schema: JsonSchema }> }>(document, response);
      return content?.[PROBLEM_TYPE]?.schema.allOf?.[1]?.properties?.code?.enum ?? [];
    });
}
