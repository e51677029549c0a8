import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { CallerContext } from '../../kernel/caller.js';

/** A request with a context after authentication, and with a problem code after a rejection. */
interface LoggedRequest extends FastifyRequest {
  readonly context?: CallerContext;
  problemCode?: string;
}

/** Records the problem code for the log line of the request. */
export function recordProblem(request: FastifyRequest, code: string): void {
  (request as LoggedRequest).problemCode = code;
}

/**
 * Logs one line per response. A hook is cheaper than pino-http, which creates a logger and listeners for each request.
 * A line contains only these fields: bodies, headers and queries may contain credentials and addresses.
 */
export function logResponses(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', (request: LoggedRequest, { statusCode, elapsedTime }, done) => {
    const { id, method, url, context, problemCode } = request;
    const path = url.split('?', 1)[0];
    const who = context && { actor: context.actor.id, business: context.business };
    const answer = {
      status: statusCode,
      ...(problemCode !== undefined && { code: problemCode }),
      duration_ms: Math.round(elapsedTime),
    };
    logger.info({ request_id: id, method, path, ...who, ...answer }, 'request completed');
    done();
  });
}
