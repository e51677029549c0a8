import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.js';
import { registerConsole } from '../../http/console/console-files.js';
import { sendProblem } from '../../http/problems/problem.js';
import { toRejection } from '../../http/problems/rejection-mapping.js';
import { collectRawBodies, NO_STORE, rejectUnknownRoute } from '../../http/server/ingress.js';
import type { SecurityHeaders } from '../../http/server/security-headers.js';
import { createServerOptions, registerRawHandlers } from '../../http/server/server.js';
import { isJsonObject, parseJsonBody } from '../../http/validation/json-body.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Health } from '../health/health.js';
import type { Gauges } from '../metrics/gauges.js';
import type { Metrics } from '../metrics/metrics.js';
import { checkOperator } from './check-operator.js';
import type { GivenValues, OpsRoute } from './route.js';

/** Names of the errors that say why a command is not possible now. */
const REFUSED_COMMAND_ERRORS = ['OperatorError', 'BuildRefused', 'PoisonEvent'];
const BODY_MAX_BYTES = 16 * 1024;

/** Receives one line for each action of an operator. */
export type LogAction = (line: object) => void;

interface OpsServerParts {
  readonly config: Config;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly gauges: Gauges;
  readonly routes: readonly OpsRoute[];
  readonly security: SecurityHeaders;
  readonly logAction: LogAction;
}

/** Creates the server for operators on a separate port: health, metrics, the commands of the command line, and the console. */
export async function createServer(parts: OpsServerParts): Promise<FastifyInstance> {
  const { config, routes, security, logAction } = parts;
  const edge = { publicUrl: () => config.publicUrl, security };
  const sendRejection = (rejection: Rejection, request: FastifyRequest, reply: FastifyReply) =>
    void sendProblem(request, reply, rejection, config.publicUrl);
  const server = fastify({
    ...createServerOptions(edge, []),
    forceCloseConnections: true,
    // A path with a bad escape matches no route.
    frameworkErrors: (_, request, reply) => sendRejection(Rejection.notFound(), request, reply),
  });
  server.setErrorHandler((error, request, reply) => sendRejection(toOpsRejection(error), request, reply));
  server.addHook('onRequest', async (request, reply) => {
    void reply.headers(security).headers({ 'x-request-id': request.id, 'cache-control': NO_STORE });
    checkOperator(request, config);
    const refusal = rejectUnknownRoute(server, request, reply);
    if (refusal !== null) throw refusal;
  });
  collectRawBodies(server, BODY_MAX_BYTES);
  registerRawHandlers(server.server, edge);
  registerPages(server, parts);
  for (const route of routes) registerRoute(server, route, logAction);
  await registerConsole(server, { surface: 'operators', oidc: null, links: false });
  return server;
}

function registerPages(server: FastifyInstance, { health, metrics: { registry }, gauges }: OpsServerParts): void {
  server.get('/health/live', async () => ({ status: 'green' }));
  server.get('/health/ready', async (_, reply) => {
    const readiness = await health.checkReadiness();
    return reply.status(readiness.status === 'green' ? 200 : 503).send(readiness);
  });
  server.get('/metrics', async (_, reply) => {
    await gauges.refresh();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function registerRoute(
  server: FastifyInstance,
  { method, path, status = 200, handle }: OpsRoute,
  logAction: LogAction,
): void {
  server.route({
    method,
    url: path,
    handler: async (request, reply) => {
      const closed = new AbortController();
      reply.raw.once('close', () => closed.abort());
      const params = request.params as Readonly<Record<string, string>>;
      const input = method === 'GET' ? (request.query as GivenValues) : await readJsonObject(request.body);
      if (method === 'POST') logAction({ request_id: request.id, path, ...params });
      return reply.status(status).send(await handle({ params, input, signal: closed.signal }));
    },
  });
}

/** Reads a JSON object; an empty body is an empty object. @throws Rejection */
async function readJsonObject(sent: unknown): Promise<GivenValues> {
  const body = (await parseJsonBody(sent)) ?? {};
  if (!isJsonObject(body)) throw new Rejection('validation_failed', 'The body must be a JSON object.');
  return body;
}

function toOpsRejection(error: unknown): Rejection {
  if (!(error instanceof Error) || !REFUSED_COMMAND_ERRORS.includes(error.name)) return toRejection(error);
  const isUnknown = 'code' in error && error.code === 'not_found';
  return new Rejection(isUnknown ? 'not_found' : 'operation_refused', error.message);
}
