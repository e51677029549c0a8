import { CODES } from '../codes.js';
import { flag, list, nullable, object, resource, sometimes, text, uri, whole, type Resource, type Shape } from '../../kernel/schema.js';

export const PAGINATION = {
  page: resource('PagePagination', {
    total_pages: whole,
    current_page: whole,
    per_page: whole,
    total_count: whole,
  }),
  cursor: resource('CursorPagination', { next_cursor: nullable(text), has_more: flag }),
};

const code: Shape<string> = { schema: { type: 'string', enum: Object.keys(CODES) } };

/** @param open whether the problem may have more members, such as `block_reason` */
function problem<F extends object>(name: string, fault: Shape<F>, open: boolean): Resource {
  const { schema } = object({ type: uri, title: text, status: whole, code, errors: list(fault), detail: text, request_id: text });
  return { name, schema: { ...schema, additionalProperties: open } };
}

/** The schemas of problems, by the member of an item that names the invalid field. */
export const PROBLEMS = {
  param: problem('Problem', object({ code: text, detail: text, param: sometimes(text) }), true),
  webhooks: problem('WebhookProblem', object({ code: text, detail: text, param: sometimes(text) }), false),
  field: problem('CommunityProblem', object({ code: text, detail: text, field: sometimes(text) }), true),
};

const header = (description: string, { schema }: Shape<never> | Shape<string> | Shape<number>) => ({ description, schema });

export const RESPONSE_HEADERS = {
  'X-Request-Id': header('The id that the request sent, or one that the service created.', text),
  'Consistency-Token': header('A read that sends this token includes this write.', text),
  'Idempotent-Replayed': header('`true` if the response is repeated from an earlier request with the same key.', text),
  'Retry-After': header('Seconds to wait before the request is sent again.', whole),
  Consistency: header('`stale` if the read does not include the write of its Consistency-Token.', text),
  'RateLimit-Limit': header('The largest number of requests in one burst.', whole),
  'RateLimit-Remaining': header('The number of requests that can be sent now.', whole),
  'RateLimit-Reset': header('Seconds until a full burst is available again.', whole),
  'RateLimit-Policy': header('The limit of requests per second, and the size of a burst.', text),
  'WWW-Authenticate': header('The authentication scheme that the service requires.', text),
};
