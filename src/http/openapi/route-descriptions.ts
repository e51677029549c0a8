import type { AccessRule } from '../auth/access.js';
import type { Route } from './route.js';

export const SUMMARY = `Webhooks, commerce and community.

Send a credential with every request: \`Authorization: Bearer <token>\`, where the token is an API key, a session token or a cart token.
A success is \`{ "data": … }\`; a list also has \`pagination\`. An error is a problem document (RFC 9457) with a stable \`code\`:
the page at its \`type\` explains the code and says whether the request can be repeated. Guides and pages about all codes are at \`/docs/guides\` and \`/problems\`.
The AsyncAPI document of the webhooks and the event stream is at \`/asyncapi.json\`.`;

export const AREAS: Readonly<Record<string, string>> = {
  identity: 'Businesses, API keys and the caller.',
  webhooks: 'Endpoints, deliveries, replays and public events.',
  commerce: 'Products, discounts, carts, buyers, orders, payments, invoices and subscriptions.',
  community: 'Communities, posts and points.',
  audit: 'The change history of a business.',
  events: 'The requests that the service sends to endpoints.',
};

const CALLERS: Readonly<Record<AccessRule, string>> = {
  business: 'For a key of the business, or for a session of its owner.',
  community: 'For a live key, or for the session of a signed-in user.',
  public: 'For every caller, without a credential.',
  any: 'For every credential but a cart token.',
  session: 'For the session of a signed-in user.',
  owner_session: 'For a session of the owner of the business.',
  reviewer: 'For a session of a reviewer of the platform.',
  buyer: 'For a key of the business, a session, or the token of the cart.',
  secret_key: 'For a secret key of the business.',
};

const PAGING = {
  page: (first: string | null) =>
    `Returns one page of the list${first === null ? '' : `, ${first} first`}. A page number beyond the end returns the last page.`,
  cursor: () => 'Returns one slice of the list; `next_cursor` leads to the next slice.',
};

const KEYS = {
  required: 'Requires an `Idempotency-Key`: a repeated request gets the first response.',
  honoured: 'Can be repeated safely with the same `Idempotency-Key`.',
};

const STREAM =
  'Sends each new public event as it is published. A client that connects again with the id of its last event misses none.';

/** Describes a route in sentences: its effect, its callers, its paging, its idempotency and its body. */
export function describeRoute(route: Route): string {
  const { summary, access, paging, first, idempotencyKey, writes, body, isStream, about } = route;
  const parts = [
    `${summary}.`,
    ...(about === null ? [] : [about]),
    CALLERS[access],
    ...(paging === null ? [] : [PAGING[paging](first)]),
    ...(isStream ? [STREAM] : []),
    ...(idempotencyKey === null ? [] : [KEYS[idempotencyKey]]),
    ...(writes && body === null ? ['Takes no body.'] : []),
  ];
  return parts.join(' ');
}
