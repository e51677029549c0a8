import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

/** Counts each answer under its declared route, never under the path that was asked for. */
export function countAnswers(server: FastifyInstance, metrics: Metrics): void {
  server.addHook('onResponse', (request, reply, done) => {
    metrics.requested(request.method, request.is404 ? null : (request.routeOptions.url ?? null), reply.statusCode, reply.elapsedTime);
    done();
  });
}
