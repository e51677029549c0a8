import { createHash } from 'node:crypto';
import { COMPONENT, type JsonSchema, type Resource } from '../../kernel/schema.js';
import { isCommunity } from '../auth/access.js';
import { PROBLEM_MEDIA_TYPE, problemHeadersFor, toProblem } from '../problems/problem.js';
import { listStatuses, PROBLEM_CODES, type ProblemCode, statusFor } from '../problems/problem-codes.js';
import { createRejection } from '../problems/rejection-mapping.js';
import { exampleFor } from './examples.js';
import type { Route } from './route.js';
import { codesFor, statusIn } from './route-codes.js';
import { PAGINATION, PROBLEMS, RESPONSE_HEADERS } from './shared-schemas.js';

const JSON_MEDIA_TYPE = 'application/json';
const STREAM_MEDIA_TYPE = 'text/event-stream';
const REQUEST_ID = 'X-Request-Id';
const DIGEST_DIGITS = 6;

type ProblemKind = keyof typeof PROBLEMS;

const toRef = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The response headers of every request that the rate limit counts. */
const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];

const STREAM_RESPONSE = {
  description:
    'Server-sent events, without an end. The id is that of the public event, the event is its type, and the data is the body of a webhook.',
  headers: pickHeaders([REQUEST_ID, ...RATE_LIMIT_HEADERS]),
  content: {
    [STREAM_MEDIA_TYPE]: {
      schema: { type: 'string' },
      example: 'id: evt_01kg9p6je0grr0rycz01afc5br\nevent: product.approved\ndata: {}\n\n',
    },
  },
};

/** Returns the response of success: `{ data }`, or `{ data, pagination }` for a list. */
export function successFor(route: Route, resource: Resource = route.resource): object {
  const { paging, writes, idempotencyKey, isStream } = route;
  if (isStream) return STREAM_RESPONSE;
  const item = exampleFor(resource.schema);
  const example =
    paging === null ? { data: item } : { data: [item], pagination: exampleFor(PAGINATION[paging].schema) };
  return {
    description:
      paging === null
        ? `The response contains ${addArticle(resource.name)}.`
        : `One page of the list. Each item is ${addArticle(resource.name)}.`,
    headers: pickHeaders([
      REQUEST_ID,
      ...RATE_LIMIT_HEADERS,
      ...(idempotencyKey === null ? [] : ['Idempotent-Replayed']),
      writes ? 'Consistency-Token' : 'Consistency',
    ]),
    content:
      route.mediaTypes === null
        ? { [JSON_MEDIA_TYPE]: { schema: toBodySchema(resource, paging), example } }
        : toFileContent(resource, route.mediaTypes),
  };
}

function toFileContent({ name, schema }: Resource, mediaTypes: readonly string[]): object {
  const content = { schema: toRef('schemas', name), example: exampleFor(schema) };
  return Object.fromEntries(mediaTypes.map((type) => [type, content]));
}

/** Returns references to the problem responses, by status. Operations with the same codes share a response. */
export function problemsFor(route: Route): Readonly<Record<string, object>> {
  return Object.fromEntries(
    listResponses(route).map((response) => [response.status, toRef('responses', toResponseName(response))]),
  );
}

export function problemsForAll(routes: readonly Route[]): Readonly<Record<string, object>> {
  const responses = routes.flatMap(listResponses);
  return Object.fromEntries(responses.map((response) => [toResponseName(response), toProblemResponse(response)]));
}

/** Returns one example per code and status: the problem document that the service sends. */
export function buildProblemExamples(routes: readonly Route[], publicUrl: string): Readonly<Record<string, object>> {
  const context = { path: '', requestId: exampleFor({ type: 'string', pattern: '^req_' }) as string, publicUrl };
  const used = new Set(
    routes.flatMap(listResponses).flatMap(({ codes, status }) => codes.map((code) => toExampleName(code, status))),
  );
  const names = (Object.keys(PROBLEM_CODES) as ProblemCode[])
    .flatMap((code) => listStatuses(code).map((status) => [code, status] as const))
    .filter(([code, status]) => used.has(toExampleName(code, status)));
  return Object.fromEntries(
    names.map(([code, status]) => {
      const value = { ...toProblem(createRejection(code), context), status };
      return [toExampleName(code, status), { summary: PROBLEM_CODES[code][1], value }];
    }),
  );
}

/** An example has the name of its code; the second status of a code makes another one. */
function toExampleName(code: ProblemCode, status: number): string {
  return status === statusFor(code) ? code : `${code}_${status}`;
}

interface ProblemResponse {
  readonly status: number;
  readonly codes: readonly ProblemCode[];
  readonly kind: ProblemKind;
}

function listResponses(route: Route): readonly ProblemResponse[] {
  const byStatus = Object.groupBy(codesFor(route), (code) => statusIn(route, code));
  const kind = problemKindFor(route);
  return Object.entries(byStatus).map(([status, codes]) => ({ status: Number(status), codes: codes!, kind }));
}

function problemKindFor({ path }: Route): ProblemKind {
  if (isCommunity(path)) return 'field';
  return path.startsWith('/v1/webhooks/') ? 'webhooks' : 'param';
}

/** Returns a short name that depends only on the status and the codes. */
function toResponseName({ status, codes, kind }: ProblemResponse): string {
  const digest = createHash('sha256').update(codes.join(' ')).digest('hex').slice(0, DIGEST_DIGITS);
  return `${PROBLEMS[kind].name}${status}_${digest}`;
}

function toProblemResponse({ status, codes, kind }: ProblemResponse): object {
  const named = codes.flatMap((code) => Object.keys(problemHeadersFor(code)));
  return {
    'x-problem-codes': codes,
    description: `${codes.map((code) => PROBLEM_CODES[code][1]).join('; ')}.`,
    headers: pickHeaders([REQUEST_ID, ...(codes.includes('rate_limited') ? RATE_LIMIT_HEADERS : []), ...named]),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: toRef('schemas', PROBLEMS[kind].name),
        examples: Object.fromEntries(codes.map((code) => [code, toRef('examples', toExampleName(code, status))])),
      },
    },
  };
}

function toBodySchema({ name }: Resource, paging: Route['paging']): JsonSchema {
  const data = { ...toRef('schemas', name), description: `The response: ${addArticle(name)}.` };
  if (paging === null) return toNamed(`${name}Response`, { data });
  const pagination = {
    ...toRef('schemas', PAGINATION[paging].name),
    description: 'The place of this page in the list.',
  };
  return toNamed(`${name}List`, {
    data: { type: 'array', items: toRef('schemas', name), description: 'The items of this page.' },
    pagination,
  });
}

function toNamed(name: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', required: Object.keys(properties), properties, [COMPONENT]: name };
}

function addArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns references to the documented headers among the names. Names are compared without case. */
function pickHeaders(names: readonly string[]): object {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const known = Object.keys(RESPONSE_HEADERS).filter((name) => wanted.has(name.toLowerCase()));
  return Object.fromEntries(known.map((name) => [name, toRef('headers', name)]));
}
