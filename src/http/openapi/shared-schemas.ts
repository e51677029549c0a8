import {
  boolean,
  integer,
  list,
  nullable,
  object,
  optional,
  type Resource,
  resource,
  type Schema,
  string,
  uri,
} from '../../kernel/schema.js';
import { PROBLEM_CODES } from '../problems/problem-codes.js';

export const PAGINATION = {
  page: resource('PagePagination', {
    total_pages: integer,
    current_page: integer,
    per_page: integer,
    total_count: integer,
  }),
  cursor: resource('CursorPagination', { next_cursor: nullable(string), has_more: boolean }),
};

const code: Schema<string> = { schema: { type: 'string', enum: Object.keys(PROBLEM_CODES) } };

/** @param open whether the problem may have more members, such as `block_reason` */
function toProblemSchema<F extends object>(name: string, error: Schema<F>, open: boolean): Resource {
  const { schema } = object({
    type: uri,
    title: string,
    status: integer,
    code,
    errors: list(error),
    detail: string,
    request_id: string,
  });
  return { name, schema: { ...schema, additionalProperties: open } };
}

/** The schemas of problems, by the member of an item that names the invalid field. */
export const PROBLEMS = {
  param: toProblemSchema('Problem', object({ code: string, detail: string, param: optional(string) }), true),
  webhooks: toProblemSchema('WebhookProblem', object({ code: string, detail: string, param: optional(string) }), false),
  field: toProblemSchema('CommunityProblem', object({ code: string, detail: string, field: optional(string) }), true),
};

const toHeader = (description: string, { schema }: Schema<never> | Schema<string> | Schema<number>) => ({
  description,
  schema,
});

export const RESPONSE_HEADERS = {
  'X-Request-Id': toHeader('The id that the request sent, or one that the service created.', string),
  'Consistency-Token': toHeader('A read that sends this token includes this write.', string),
  'Idempotent-Replayed': toHeader(
    '`true` if the response is repeated from an earlier request with the same key.',
    string,
  ),
  'Retry-After': toHeader('Seconds to wait before the request is sent again.', integer),
  Consistency: toHeader('`stale` if the read does not include the write of its Consistency-Token.', string),
  'RateLimit-Limit': toHeader('The largest number of requests in one burst.', integer),
  'RateLimit-Remaining': toHeader('The number of requests that can be sent now.', integer),
  'RateLimit-Reset': toHeader('Seconds until a full burst is available again.', integer),
  'RateLimit-Policy': toHeader('The limit of requests per second, and the size of a burst.', string),
  'WWW-Authenticate': toHeader('The authentication scheme that the service requires.', string),
};
