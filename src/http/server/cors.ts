import type { FastifyReply, FastifyRequest } from 'fastify';

const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE';
const REQUEST_HEADERS =
  'authorization, content-type, consistency-token, idempotency-key, last-event-id, x-request-id, x-service-business-id, x-service-mode';
const RESPONSE_HEADERS =
  'consistency, consistency-token, idempotent-replayed, ratelimit-limit, ratelimit-policy, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id';
const MAX_AGE_SECONDS = 600;
const PUBLIC_DOCUMENTS = /^\/((openapi|asyncapi)\.json|llms(-full)?\.txt|docs(\/.*)?|problems(\/[^/]*)?)?(\?|$)/;

/**
 * Handles cross-origin requests: pages of allowed origins may use the API, pages of any origin may read public
 * documents.
 */
export class Cors {
  constructor(private readonly origins: readonly string[]) {}

  /** Sets the headers that let a page read the response. Cookies are never allowed: credentials are bearer tokens. */
  setHeaders({ url, headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
    if (PUBLIC_DOCUMENTS.test(url)) {
      void reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      return;
    }
    if (this.origins.length === 0) return;
    void reply.header('vary', 'Origin');
    if (origin === undefined || !this.origins.includes(origin)) return;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': RESPONSE_HEADERS });
  }

  isPreflight({ method, headers }: FastifyRequest): boolean {
    const { origin, 'access-control-request-method': wanted } = headers;
    return method === 'OPTIONS' && wanted !== undefined && origin !== undefined && this.origins.includes(origin);
  }

  answerPreflight(reply: FastifyReply): void {
    void reply.status(204).headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': MAX_AGE_SECONDS,
    });
    void reply.send();
  }
}
