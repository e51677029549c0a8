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
/** Whatever HTTP lets a header hold. */
const NO_CONTROLS = '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$';
const KEY: Schema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000]+$' };

/** What headers a request may have, beside its credential. */
export const HEADERS = {
  IdempotencyKeyRequired: header(
    'Idempotency-Key',
    'Names this request: however often it is sent within 24 hours, it is done once and has one answer.',
    KEY,
    true,
  ),
  IdempotencyKeyHonoured: header('Idempotency-Key', 'May name this request, so that it can be repeated without being done twice.', KEY),
  BusinessId: header('X-Service-Business-Id', 'The business that a session acts for. A key’s is its own.', {
    type: 'string',
    pattern: BUSINESS_ID.source,
  }),
  Mode: header('X-Service-Mode', 'The mode that a session acts in. A key’s is its own.', {
    type: 'string',
    enum: ['live', 'test'],
    default: 'live',
  }),
  ConsistencyToken: header(
    'Consistency-Token',
    'From the answer to a write: this read waits until it shows that write. Another text is ignored.',
    {
      type: 'string',
      pattern: NO_CONTROLS,
    },
  ),
  RequestId: header('X-Request-Id', 'Comes back with the answer where it has 1 to 64 of `A-Z a-z 0-9 _ -`; else one is made.', {
    type: 'string',
    pattern: NO_CONTROLS,
  }),
};

const IDEMPOTENCY_KEYS = { required: 'IdempotencyKeyRequired', honoured: 'IdempotencyKeyHonoured' } as const;

export function parametersOf(route: Route): readonly object[] {
  return [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => pathParameter(name!)),
    ...(route.query === null ? [] : queryOf(route.query)),
    ...headersOf(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** An id of another form is unknown. Event types are ids too. */
function pathParameter(name: string): object {
  const schema = { type: 'string', pattern: FIT_FOR_AN_ID.source };
  return { name, in: 'path', required: true, description: 'An id. One that is unknown, or of another form, is a 404.', schema };
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

/** Asked of the query itself, by an exaggeration. */
function clampOf(query: object, name: string): object {
  const most = (maximum: number) => ({ description: `At most ${maximum}: more is taken for that.` });
  if (query instanceof PageQuery && name === 'per_page') return most(Object.assign(query, { per_page: Infinity }).perPage);
  if (query instanceof CursorQuery && name === 'limit') return most(Object.assign(query, { limit: Infinity }).count);
  return {};
}
