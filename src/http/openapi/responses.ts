import { createHash } from 'node:crypto';
import { isCommunity } from '../access.js';
import { CODES, statusOf, type Code } from '../codes.js';
import { headersOf, problemOf, PROBLEM_MEDIA_TYPE } from '../problem.js';
import { rejection } from '../refusals.js';
import { exampleOf } from './examples.js';
import type { Route } from './route.js';
import { codesOf } from './route-codes.js';
import { PAGINATION, PROBLEMS, RESPONSE_HEADERS } from './schemas.js';
import type { Resource, Schema } from '../../kernel/schema.js';

const JSON_MEDIA_TYPE = 'application/json';
const REQUEST_ID = 'X-Request-Id';
const DIGEST_DIGITS = 6;

type Place = keyof typeof PROBLEMS;

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** The response headers of every request that the rate limit counts. */
const COUNTED = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];

/** Returns the response of success: `{ data }`, or `{ data, pagination }` for a list. */
export function successOf(route: Route, answer: Resource = route.answer): object {
  const { paging, writes, idempotencyKey } = route;
  const item = exampleOf(answer.schema);
  const example = paging === null ? { data: item } : { data: [item], pagination: exampleOf(PAGINATION[paging].schema) };
  return {
    description:
      paging === null ? `The response contains ${articled(answer.name)}.` : `One page of the list. Each item is ${articled(answer.name)}.`,
    headers: headersNamed([
      REQUEST_ID,
      ...COUNTED,
      ...(idempotencyKey === null ? [] : ['Idempotent-Replayed']),
      writes ? 'Consistency-Token' : 'Consistency',
    ]),
    content: { [JSON_MEDIA_TYPE]: { schema: envelopeOf(answer, paging), example } },
  };
}

/** Returns references to the problem responses, by status. Operations with the same codes share a response. */
export function refusalsOf(route: Route): Readonly<Record<string, object>> {
  return Object.fromEntries(groupsOf(route).map((codes) => [statusOf(codes[0]!), ref('responses', nameOf(codes, placeIn(route)))]));
}

export function refusalsOfAll(routes: readonly Route[]): Readonly<Record<string, object>> {
  const named = (route: Route) =>
    groupsOf(route).map((codes) => [nameOf(codes, placeIn(route)), refusalOf(codes, placeIn(route))] as const);
  return Object.fromEntries(routes.flatMap(named));
}

/** Returns one example per code: the problem document that the service sends. */
export function problemExamples(routes: readonly Route[], publicUrl: string): Readonly<Record<string, object>> {
  const asked = { path: '', requestId: exampleOf({ type: 'string', pattern: '^req_' }) as string, publicUrl };
  const used = new Set(routes.flatMap(codesOf));
  const codes = (Object.keys(CODES) as Code[]).filter((code) => used.has(code));
  return Object.fromEntries(codes.map((code) => [code, { summary: CODES[code][1], value: problemOf(rejection(code), asked) }]));
}

function groupsOf(route: Route): readonly (readonly Code[])[] {
  return Object.values(Object.groupBy(codesOf(route), statusOf)) as Code[][];
}

function placeIn({ path }: Route): Place {
  if (isCommunity(path)) return 'field';
  return path.startsWith('/v1/webhooks/') ? 'webhooks' : 'param';
}

/** Returns a short name that depends only on the codes. */
function nameOf(codes: readonly Code[], place: Place): string {
  const digest = createHash('sha256').update(codes.join(' ')).digest('hex').slice(0, DIGEST_DIGITS);
  return `${PROBLEMS[place].name}${statusOf(codes[0]!)}_${digest}`;
}

function refusalOf(codes: readonly Code[], place: Place): object {
  const named = codes.flatMap((code) => Object.keys(headersOf(code)));
  return {
    description: `${codes.map((code) => CODES[code][1]).join('; ')}.`,
    headers: headersNamed([REQUEST_ID, ...(codes.includes('rate_limited') ? COUNTED : []), ...named]),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { allOf: [ref('schemas', PROBLEMS[place].name), { properties: { code: { type: 'string', enum: codes } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, ref('examples', code)])),
      },
    },
  };
}

function envelopeOf({ name }: Resource, paging: Route['paging']): Schema {
  const data = ref('schemas', name);
  if (paging === null) return { type: 'object', required: ['data'], properties: { data } };
  const properties = { data: { type: 'array', items: data }, pagination: ref('schemas', PAGINATION[paging].name) };
  return { type: 'object', required: ['data', 'pagination'], properties };
}

function articled(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns references to the documented headers among the names. Names are compared without case. */
function headersNamed(names: readonly string[]): object {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const known = Object.keys(RESPONSE_HEADERS).filter((name) => wanted.has(name.toLowerCase()));
  return Object.fromEntries(known.map((name) => [name, ref('headers', name)]));
}
