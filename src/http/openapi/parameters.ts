import type { BodyClass } from '../body-fields.js';
import { BUSINESS_ID } from '../admission.js';
import { CursorQuery, PageQuery } from '../paging.js';
import { FIT_FOR_AN_ID } from '../edge.pipe.js';
import { schemaOfClass } from './class-schema.js';
import { admittedTo } from './credentials.js';
import type { Route } from './route.js';
import { notNull, type Schema } from '../../kernel/schema.js';

const header = (name: string, description: string, schema: Schema, required = false) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
});
/** Every value that HTTP allows in a header. */
const NO_CONTROLS = '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$';
const KEY: Schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000]+$' };

/** The request headers, except the credential. */
export const HEADERS = {
  IdempotencyKeyRequired: header(
    'Idempotency-Key',
    'Identifies this request. The service runs it once, and repeats its response for 24 hours.',
    KEY,
    true,
  ),
  IdempotencyKeyHonoured: header('Idempotency-Key', 'Identifies this request, so that a repeated request does not run twice.', KEY),
  BusinessId: header('X-Service-Business-Id', 'The business that a session acts for. A key acts for its own business.', {
    type: 'string',
    pattern: BUSINESS_ID.source,
  }),
  Mode: header('X-Service-Mode', 'The mode that a session acts in. A key has a fixed mode.', {
    type: 'string',
    enum: ['live', 'test'],
    default: 'live',
  }),
  ConsistencyToken: header(
    'Consistency-Token',
    'The token from the response to a write. The read waits until it includes that write. An invalid token is ignored.',
    {
      type: 'string',
      pattern: NO_CONTROLS,
    },
  ),
  RequestId: header(
    'X-Request-Id',
    'Returned in the response if it has 1 to 64 characters of `A-Z a-z 0-9 _ -`. Otherwise the service creates an id.',
    {
      type: 'string',
      pattern: NO_CONTROLS,
    },
  ),
};

const IDEMPOTENCY_KEYS = { required: 'IdempotencyKeyRequired', honoured: 'IdempotencyKeyHonoured' } as const;

export function parametersOf(route: Route): readonly object[] {
  return [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!)),
    ...(route.query === null ? [] : queryOf(route.query)),
    ...headersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** Returns the parameter of an id. Event types are ids too. */
function pathParameter(name: string): object {
  const schema = { type: 'string', pattern: FIT_FOR_AN_ID.source };
  return { name, in: 'path', required: true, description: 'An id. An unknown or malformed id gets a 404.', schema };
}

function headersOf({ idempotencyKey, access, writes }: Route): readonly (keyof typeof HEADERS)[] {
  const bySession = admittedTo({ access, writes }).includes('sessionToken');
  return [
    ...(idempotencyKey === null ? [] : [IDEMPOTENCY_KEYS[idempotencyKey]]),
    ...(bySession ? ['BusinessId' as const] : []),
    ...(bySession && access !== 'community' ? ['Mode' as const] : []),
    ...(writes || access === 'public' ? [] : ['ConsistencyToken' as const]),
    'RequestId',
  ];
}

function queryOf(type: BodyClass): readonly object[] {
  const { properties, required = [] } = schemaOfClass(type);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    ...(description !== undefined && { description }),
    ...clampOf(new type(), name),
    schema: notNull(schema),
  }));
}

/** Describes the maximum of a page size. The maximum is found by clamping an infinite page size. */
function clampOf(query: object, name: string): object {
  const most = (maximum: number) => ({ description: `At most ${maximum}. A larger value is clamped.` });
  if (query instanceof PageQuery && name === 'per_page') return most(Object.assign(query, { per_page: Infinity }).perPage);
  if (query instanceof CursorQuery && name === 'limit') return most(Object.assign(query, { limit: Infinity }).count);
  return {};
}
