import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FieldError, Rejection } from '../../kernel/rejection.js';
import { isCommunity } from '../auth/access.js';
import { endAfterResponse } from '../server/close-soon.js';
import { recordProblem } from '../server/request-log.js';
import { endsConnection, type ProblemCode, retrySecondsFor, statusFor, statusOf, titleFor } from './problem-codes.js';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

export interface ProblemContext {
  readonly path: string;
  readonly requestId: string;
  readonly publicUrl: string;
}

/** Returns the problem document of a rejection. Errors of the community have `field` in place of `param`. */
export function toProblem(rejection: Rejection, { path, requestId, publicUrl }: ProblemContext): object {
  const { code, detail, errors, extra } = rejection;
  return {
    type: `${publicUrl}/problems/${code}`,
    title: titleFor(code),
    status: statusOf(rejection),
    code,
    ...extra,
    errors: errors.map((error) => (isCommunity(path) ? toCommunityError(error) : error)),
    detail,
    request_id: requestId,
  };
}

export function problemHeadersFor(code: ProblemCode): Record<string, string> {
  const seconds = retrySecondsFor(code);
  return {
    'content-type': PROBLEM_MEDIA_TYPE,
    ...(seconds !== null && { 'retry-after': String(seconds) }),
    ...(statusFor(code) === 401 && { 'www-authenticate': 'Bearer' }),
  };
}

export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  rejection: Rejection,
  publicUrl: string,
): FastifyReply {
  recordProblem(request, rejection.code);
  const problem = toProblem(rejection, {
    path: request.routeOptions.url ?? request.url,
    requestId: request.id,
    publicUrl,
  });
  // Bytes, because Fastify adds a charset to a string, and this media type has no charset.
  const bytes = Buffer.from(JSON.stringify(problem));
  const retryAfter = rejection.retryAfterSeconds ?? reply.getHeader('retry-after');
  void reply.status(statusOf(rejection)).headers(problemHeadersFor(rejection.code));
  // A limit sets a more precise value than the table.
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter);
  if (rejection.isLasting) void reply.removeHeader('retry-after');
  if (endsConnection(rejection.code)) endAfterResponse(request, reply);
  return reply.send(bytes);
}

function toCommunityError({ code, detail, param }: FieldError): object {
  return { code, detail, ...(param !== undefined && { field: param }) };
}
