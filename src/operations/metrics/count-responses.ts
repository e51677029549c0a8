import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

/** Counts each response under its declared route, never under the requested path. */
export function countResponses(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    metrics.recordRequest(
      request.method,
      request.is404 ? null : (request.routeOptions.url ?? null),
      reply.statusCode,
      reply.elapsedTime,
    );
    done();
  });
}
