import type { Rule } from '../access.js';
import type { Route } from './route.js';

export const SUMMARY = `Webhooks, commerce and community.

Send a credential with every request: \`Authorization: Bearer <token>\`, where the token is an API key, a session token or a cart token.
A success is \`{ "data": … }\`, a list has \`pagination\` beside it, and a refusal is a problem document (RFC 9457) whose \`code\` is stable:
the page at its \`type\` says what the code means and whether the request can be repeated.`;

export const AREAS: Readonly<Record<string, string>> = {
  identity: 'Businesses, API keys and the caller itself.',
  webhooks: 'Endpoints, deliveries and their replays, and the public events themselves.',
  commerce: 'Products, carts, orders, payments, invoices and subscriptions.',
  community: 'Communities, posts and points.',
};

const CALLERS: Readonly<Record<Rule, string>> = {
  business: 'For a key of the business, or for a session of its owner.',
  community: 'For a live key, or for the session of a signed-in user.',
  public: 'For anybody, without a credential.',
  any: 'For every credential but a cart token.',
  session: 'For the session of a signed-in user.',
  owner_session: 'For a session of the owner of the business.',
  reviewer: 'For a session of a reviewer of the platform.',
  buyer: 'For a key of the business, a session, or the token of the cart.',
  secret_key: 'For a secret key of the business.',
};

const PAGING = {
  page: 'Answers one page of the list, the newest items first; a page past the end answers the last one.',
  cursor: 'Answers one slice of the list; `next_cursor` leads to the next one.',
};

const KEYS = {
  required: 'Needs an `Idempotency-Key`: a repeated request has the first answer.',
  honoured: 'Can be repeated safely under an `Idempotency-Key`.',
};

/** What follows from the route itself, as sentences. */
export function descriptionOf({ sentence, access, paging, idempotencyKey, writes, body }: Route): string {
  const parts = [
    `${sentence}.`,
    CALLERS[access],
    ...(paging === null ? [] : [PAGING[paging]]),
    ...(idempotencyKey === null ? [] : [KEYS[idempotencyKey]]),
    ...(writes && body === null ? ['Takes no body.'] : []),
  ];
  return parts.join(' ');
}
