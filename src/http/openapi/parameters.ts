import { MODES } from '../../kernel/event.js';
import { type JsonSchema, removeNull } from '../../kernel/schema.js';
import { BUSINESS_ID } from '../auth/authorization.js';
import type { BodyClass } from '../validation/body-fields.js';
import { CursorQuery, PageQuery } from '../validation/paging.js';
import { ID_PATTERN } from '../validation/validation.pipe.js';
import { schemaForClass } from './class-schema.js';
import { exampleFor } from './examples.js';
import type { Route } from './route.js';
import { credentialsFor } from './security-schemes.js';

const toHeader = (name: string, description: string, example: string, schema: JsonSchema, required = false) => ({
  name,
  in: 'header',
  description,
  required,
  schema,
  example,
});
/** Every value that HTTP allows in a header. */
const NO_CONTROL_CHARACTERS = '^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f]*$';
const KEY_SCHEMA: JsonSchema = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[^\\u0000]+$' };

/** The request headers, except the credential. */
export const HEADERS = {
  IdempotencyKeyRequired: toHeader(
    'Idempotency-Key',
    'Identifies this request. The service runs it once, and repeats its response for 24 hours.',
    'order-1042-payment',
    KEY_SCHEMA,
    true,
  ),
  IdempotencyKeyHonoured: toHeader(
    'Idempotency-Key',
    'Identifies this request, so that a repeated request does not run twice.',
    'order-1042-cart',
    KEY_SCHEMA,
  ),
  BusinessId: toHeader(
    'X-Service-Business-Id',
    'The business that a session acts for. A key acts for its own business.',
    exampleFor({ pattern: '^biz_' }) as string,
    {
      type: 'string',
      pattern: BUSINESS_ID.source,
    },
  ),
  Mode: toHeader('X-Service-Mode', 'The mode that a session acts in. A key has a fixed mode.', 'live', {
    type: 'string',
    enum: MODES,
    default: 'live',
  }),
  ConsistencyToken: toHeader(
    'Consistency-Token',
    'The token from the response to a write, or several tokens that are separated by commas. The read waits until it includes these writes. An invalid token is ignored.',
    '1042',
    {
      type: 'string',
      pattern: NO_CONTROL_CHARACTERS,
    },
  ),
  LastEventId: toHeader(
    'Last-Event-ID',
    'The id of the last event that the client has. It replaces `after`.',
    exampleFor({ pattern: '^evt_' }) as string,
    {
      type: 'string',
      pattern: NO_CONTROL_CHARACTERS,
    },
  ),
  RequestId: toHeader(
    'X-Request-Id',
    'Returned in the response if it has 1 to 64 characters of `A-Z a-z 0-9 _ -`. Otherwise the service creates an id.',
    'checkout-1042',
    {
      type: 'string',
      pattern: NO_CONTROL_CHARACTERS,
    },
  ),
};

const IDEMPOTENCY_KEYS = { required: 'IdempotencyKeyRequired', honoured: 'IdempotencyKeyHonoured' } as const;

/** The schemas of ids in paths, by the path up to the id: `/v1/commerce/carts/{id}`. */
export type IdSchemas = ReadonlyMap<string, JsonSchema>;

/** Finds the schema of each id in a path: the route that ends with the id answers with the resource that has it. */
export function findIdSchemas(routes: readonly Route[]): IdSchemas {
  const ids = routes
    .filter(({ path, paging }) => path.endsWith('}') && paging === null)
    .flatMap(({ path, resource: { schema } }) => {
      const id = (schema.properties as Readonly<Record<string, JsonSchema>> | undefined)?.id;
      return id === undefined ? [] : [[path, id] as const];
    });
  return new Map(ids);
}

export function parametersFor(route: Route, ids: IdSchemas): readonly object[] {
  return [
    ...[...route.path.matchAll(/.*?\{(\w+)\}/g)].map(({ index, 0: part, 1: name }) =>
      toPathParameter(name!, part.split('/').at(-2)!, ids.get(route.path.slice(0, index + part.length)) ?? {}),
    ),
    ...(route.query === null ? [] : queryParametersFor(route.query)),
    ...headersFor(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** Returns the parameter of an id. Event types are ids too. */
function toPathParameter(name: string, collection: string, id: JsonSchema): object {
  const schema = { type: 'string', pattern: ID_PATTERN.source };
  const description = `${describeId(name, collection)} An unknown or malformed id gets a 404.`;
  return { name, in: 'path', required: true, description, schema, example: exampleFor(id, name) };
}

/** `product_id`, and `id` after `products`: `The id of the product.` */
function describeId(name: string, collection: string): string {
  const words = (text: string) => text.replaceAll(/[_-]/g, ' ');
  if (name === 'id') return `The id of the ${words(collection.replace(/ies$/, 'y').replace(/s$/, ''))}.`;
  return name.endsWith('_id') ? `The id of the ${words(name.slice(0, -'_id'.length))}.` : `The ${words(name)}.`;
}

function headersFor({ idempotencyKey, access, writes, isStream }: Route): readonly (keyof typeof HEADERS)[] {
  const bySession = credentialsFor({ access, writes }).includes('sessionToken');
  return [
    ...(idempotencyKey === null ? [] : [IDEMPOTENCY_KEYS[idempotencyKey]]),
    ...(bySession ? ['BusinessId' as const] : []),
    ...(bySession && access !== 'community' ? ['Mode' as const] : []),
    ...(writes || access === 'public' ? [] : ['ConsistencyToken' as const]),
    ...(isStream ? ['LastEventId' as const] : []),
    'RequestId',
  ];
}

function queryParametersFor(type: BodyClass): readonly object[] {
  const { properties, required = [] } = schemaForClass(type);
  return Object.entries(properties).map(([name, { description, examples: _, ...schema }]) => ({
    name,
    in: 'query',
    required: (required as readonly string[]).includes(name),
    ...(description !== undefined && { description }),
    ...describeClamp(new type(), name),
    schema: removeNull(schema),
    example: exampleFor(removeNull(properties[name]!), name),
  }));
}

/** Describes the maximum of a page size. The maximum is found by clamping an infinite page size. */
function describeClamp(query: object, name: string): object {
  const toDescription = (maximum: number) => ({
    description: `The number of items, at most ${maximum}. A larger value is clamped.`,
  });
  if (query instanceof PageQuery && name === 'per_page')
    return toDescription(Object.assign(query, { per_page: Infinity }).perPage);
  if (query instanceof CursorQuery && name === 'limit')
    return toDescription(Object.assign(query, { limit: Infinity }).count);
  return {};
}
