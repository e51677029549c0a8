import {
  boolean,
  describe,
  integer,
  list,
  named,
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
    total_pages: describe(integer, 'The number of pages; 1 for an empty list.', 3),
    current_page: describe(integer, 'The number of this page, from 1.'),
    per_page: describe(integer, 'The number of items on a full page.', 25),
    total_count: describe(integer, 'The number of items on all pages.', 60),
  }),
  cursor: resource('CursorPagination', {
    next_cursor: describe(
      nullable(string),
      'The value of `after` for the next slice; null on the last slice.',
      'MTc2OQ',
    ),
    has_more: describe(boolean, 'Whether there is another slice.'),
  }),
};

const code: Schema<string> = describe(
  named('ProblemCode', { schema: { type: 'string', enum: Object.keys(PROBLEM_CODES) } }),
  'The stable code of the problem; a program decides by it.',
  'validation_failed',
);
const itemFields = {
  code: describe(string, 'The code of this error.', 'invalid_value'),
  detail: describe(string, 'The error in a sentence.', 'name must have at most 255 characters.'),
};
const place = describe(
  optional(string),
  'The path of the invalid field or parameter; left out when the error has no place.',
  'name',
);

/** @param open whether the problem may have more members, such as `block_reason` */
function toProblemSchema<F extends object>(name: string, error: Schema<F>, open: boolean): Resource {
  const { schema } = resource(name, {
    type: describe(uri, 'The page that explains the code.', 'https://example.com/problems/validation_failed'),
    title: describe(string, 'The problem in general.', 'The request is not valid'),
    status: describe(integer, 'The HTTP status of the response.', 422),
    code,
    errors: describe(list(error), 'Each single error, with its place.'),
    detail: describe(string, 'This problem in a sentence.', 'name must have at most 255 characters.'),
    request_id: describe(string, 'The id of the request, to name it to the support.', 'req_01kg9p6je0grr0rycz01afc5br'),
  });
  return { name, schema: { ...schema, additionalProperties: open } };
}

/** The schemas of problems, by the member of an item that names the invalid field. */
export const PROBLEMS = {
  param: toProblemSchema('Problem', object({ ...itemFields, param: place }), true),
  webhooks: toProblemSchema('WebhookProblem', object({ ...itemFields, param: place }), false),
  field: toProblemSchema('CommunityProblem', object({ ...itemFields, field: place }), true),
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
