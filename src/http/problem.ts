import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault, Rejection } from '../kernel/rejection.js';
import { isCommunity } from './access.js';
import { statusOf, titleOf } from './codes.js';
import { noteProblem } from './request-log.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const RETRY_AFTER_SECONDS: Readonly<Record<string, number>> = {
  idempotency_key_in_progress: 1,
  service_unavailable: 1,
  rate_limited: 60,
};

export interface Asked {
  readonly path: string;
  readonly requestId: string;
  readonly publicUrl: string;
}

/** Returns the problem document of a rejection. Errors of the community have `field` in place of `param`. */
export function problemOf({ code, detail, errors, extra }: Rejection, { path, requestId, publicUrl }: Asked): object {
  return {
    type: `${publicUrl}/problems/${code}`,
    title: titleOf(code),
    status: statusOf(code),
    code,
    ...extra,
    errors: errors.map((fault) => (isCommunity(path) ? inCommunity(fault) : fault)),
    detail,
    request_id: requestId,
  };
}

/** Returns the headers of a problem response. */
export function headersOf(code: string): Record<string, string> {
  const seconds = RETRY_AFTER_SECONDS[code];
  return {
    'content-type': PROBLEM_MEDIA_TYPE,
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    ...(statusOf(code) === 401 && { 'www-authenticate': 'Bearer' }),
  };
}

export function refuse(request: FastifyRequest, reply: FastifyReply, rejection: Rejection, publicUrl: string): FastifyReply {
  noteProblem(request, rejection.code);
  const problem = problemOf(rejection, { path: request.routeOptions.url ?? request.url, requestId: request.id, publicUrl });
  // Bytes, because Fastify adds a charset to a string, and this media type has no charset.
  const bytes = Buffer.from(JSON.stringify(problem));
  const retryAfter = reply.getHeader('retry-after');
  void reply.status(statusOf(rejection.code)).headers(headersOf(rejection.code));
  // The rate limit sets a more precise value than the table.
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
  return reply.send(bytes);
}

function inCommunity({ code, detail, param }: Fault): object {
  return { code, detail, ...(param !== undefined && { field: param }) };
}
