import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { CallerContext } from '../identity/caller.js';

/** What a request gets on its way: a caller once its credential holds, a code once it is refused. */
interface Logged extends FastifyRequest {
  readonly context?: CallerContext;
  problemCode?: string;
}

/** Lets the log line of the request name why it was refused. */
export function noteProblem(request: FastifyRequest, code: string): void {
  (request as Logged).problemCode = code;
}

/**
 * One line for each answer, by a hook of the server's: as a middleware, pino-http makes every request loggers and listeners of its own.
 * What a line may hold is listed here; bodies, headers and queries are not, for they hold credentials and addresses.
 */
export function logAnswers(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', (request: Logged, { statusCode, elapsedTime }, done) => {
    const { id, method, url, context, problemCode } = request;
    const path = url.split('?', 1)[0];
    const who = context && { actor: context.actor.id, business: context.business };
    const answer = { status: statusCode, ...(problemCode !== undefined && { code: problemCode }), duration_ms: Math.round(elapsedTime) };
    logger.info({ request_id: id, method, path, ...who, ...answer }, 'request completed');
    done();
  });
}
