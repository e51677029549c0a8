import { CODES } from '../codes.js';
import { flag, list, nullable, object, resource, sometimes, text, uri, whole, type Resource, type Shape } from '../../kernel/schema.js';

/** What stands beside the items of a list. */
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

/** @param open beside these members a refusal may have its own, such as `block_reason` */
function problem<F extends object>(name: string, fault: Shape<F>, open: boolean): Resource {
  const { schema } = object({ type: uri, title: text, status: whole, code, errors: list(fault), detail: text, request_id: text });
  return { name, schema: { ...schema, additionalProperties: open } };
}

/** By what an item calls the place of what was refused. */
export const PROBLEMS = {
  param: problem('Problem', object({ code: text, detail: text, param: sometimes(text) }), true),
  webhooks: problem('WebhookProblem', object({ code: text, detail: text, param: sometimes(text) }), false),
  field: problem('CommunityProblem', object({ code: text, detail: text, field: sometimes(text) }), true),
};

const header = (description: string, { schema }: Shape<never> | Shape<string> | Shape<number>) => ({ description, schema });

export const RESPONSE_HEADERS = {
  'X-Request-Id': header('The request’s own, or one that was made for it.', text),
  'Consistency-Token': header('Sent with a read, makes that read show this write.', text),
  'Idempotent-Replayed': header('`true`, where the answer is the one of an earlier request under the same key.', text),
  'Retry-After': header('Seconds to wait before the request is sent again.', whole),
  Consistency: header('`stale`, where the read shows less than its Consistency-Token asked for.', text),
  'RateLimit-Limit': header('How many requests the credential may send at once.', whole),
  'RateLimit-Remaining': header('How many of them it may send now.', whole),
  'RateLimit-Reset': header('Seconds until it may send all of them again.', whole),
  'RateLimit-Policy': header('Requests a second, and at once.', text),
  'WWW-Authenticate': header('How to say who is asking.', text),
};
