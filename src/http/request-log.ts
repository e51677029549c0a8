import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/**
 * One line for each answer, by a hook of the server's: as a middleware, pino-http makes every request loggers and listeners of its own.
 * What a line may hold is listed here; bodies, headers and queries are not, for they hold credentials and addresses.
 */
export function logAnswers(server: FastifyInstance, logger: Logger): void {
  server.addHook('onResponse', ({ id, method, url }, { statusCode, elapsedTime }, done) => {
    const path = url.split('?', 1)[0];
    logger.info({ request_id: id, method, path, status: statusCode, duration_ms: Math.round(elapsedTime) }, 'request completed');
    done();
  });
}
