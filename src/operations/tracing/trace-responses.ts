import type { FastifyInstance } from 'fastify';
import { recordTraced } from '../../kernel/tracing.js';

/** Traces each request under its declared route, never under the requested path. */
export function traceResponses(server: FastifyInstance): void {
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'http.response.status_code': reply.statusCode,
    };
    const cause = { correlationId: request.id, id: request.id, causationId: request.id };
    recordTraced(
      () => [{ name: `${request.method} ${route}`, kind: 'server', ...cause, attributes }],
      reply.elapsedTime,
    );
    done();
  });
}
