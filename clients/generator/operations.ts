import {
  type Content,
  type DocumentOperation,
  type DocumentParameter,
  type DocumentResponse,
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
  readonly query: readonly DocumentParameter[];
  readonly body: { readonly type: string; readonly required: boolean } | null;
  /** The type of `data`, or of one item of a list. */
  readonly resultType: string;
  /** How a result of many items arrives. */
  readonly list: 'page' | 'cursor' | 'stream' | null;
  /** True when the service runs a repeated request with the same key once. */
  readonly isKeyed: boolean;
  /** The codes of problems that are particular to the operation. */
  readonly codes: readonly string[];
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
/** Codes of the parser, the credential, the idempotency key and the validation, which are not listed at each operation. */
const GENERAL_CODES = new Set([
  ...['bad_request', 'request_timeout', 'payload_too_large', 'uri_too_long', 'unsupported_media_type'],
  ...['expectation_failed', 'headers_too_large', 'rate_limited', 'concurrent_update', 'not_found'],
  ...['authentication_required', 'invalid_credentials', 'token_expired', 'business_access_denied'],
  ...['permission_denied', 'read_only_key', 'live_key_required'],
  ...['invalid_idempotency_key', 'idempotency_key_required', 'idempotency_key_conflict', 'idempotency_key_in_progress'],
  ...['invalid_json', 'invalid_parameter', 'validation_failed', 'unknown_parameter'],
]);

export function readOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => hasMethod(responses))
      .map(([method, operation]) => read(document, method, path, operation)),
  );
}

/** Returns the lines of the documentation of a method. */
export function describeOperation({ summary, description, codes, method, path }: Operation): string[] {
  const details = description.replace(`${summary}.`, '').replace('Takes no body.', '').trim();
  return [
    `${summary}. ${details}`.trim(),
    ...(codes.length === 0 ? [] : ['', `Problems: ${codes.map((code) => `\`${code}\``).join(', ')}.`]),
    '',
    `\`${method} ${path}\``,
  ];
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
    query: parameters.filter((each) => each.in === 'query'),
    body: body === undefined ? null : { type: nameOf(body.content[JSON_TYPE]!.schema), required: body.required },
    ...readResult(document, operation),
    isKeyed: namesIn('header').includes('Idempotency-Key'),
    codes: readCodes(document, operation),
  };
}

/** The client has no method for the download of a file. */
function hasMethod(responses: DocumentOperation['responses']): boolean {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return successes.every(([, response]) => {
    const { content } = response as { readonly content: Content };
    return JSON_TYPE in content || STREAM_TYPE in content;
  });
}

function readResult(
  document: OpenApiDocument,
  { responses }: DocumentOperation,
): Pick<Operation, 'resultType' | 'list'> {
  const contents = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => (response as { readonly content: Content }).content);
  if (STREAM_TYPE in contents[0]!) return { resultType: 'WebhookEvent', list: 'stream' };

  const bodies = contents.map((content) => resolve<JsonSchema>(document, content[JSON_TYPE]!.schema).properties!);
  const { data, pagination } = bodies[0]!;
  if (pagination !== undefined) {
    return { resultType: nameOf(data!.items!), list: nameOf(pagination) === 'PagePagination' ? 'page' : 'cursor' };
  }
  return { resultType: [...new Set(bodies.map((body) => nameOf(body.data!)))].join(' | '), list: null };
}

function readCodes(document: OpenApiDocument, { responses }: DocumentOperation): string[] {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('4'))
    .flatMap(([, response]) => {
      return resolve<DocumentResponse>(document, response)['x-problem-codes'] ?? [];
    })
    .filter((code) => !GENERAL_CODES.has(code));
}
