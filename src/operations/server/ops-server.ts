import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config/config.js';
import { problemHeadersFor, toProblem } from '../../http/problems/problem.js';
import { statusFor } from '../../http/problems/problem-codes.js';
import { createRejection, toRejection } from '../../http/problems/rejection-mapping.js';
import { NO_STORE } from '../../http/server/ingress.js';
import { requestIdFor } from '../../http/server/request-id.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Health } from '../health/health.js';
import type { Gauges } from '../metrics/gauges.js';
import type { Metrics } from '../metrics/metrics.js';
import { checkOperator, isConsole } from './check-operator.js';
import { parseQuery } from './read-input.js';
import { readJsonObject } from './request-body.js';
import { findRoutes, type MatchedRoute, type OpsRoute } from './route.js';

/** Names of the errors that say why a command is not possible now. */
const REFUSED_COMMAND_ERRORS = ['OperatorError', 'BuildRefused', 'PoisonEvent'];
const REQUEST_TIMEOUT_MS = 30_000;

type Respond = (response: ServerResponse) => void | Promise<void>;

/** Receives one line for each action of an operator. */
export type LogAction = (line: object) => void;

/** Serves operators on a separate port: health, metrics, the commands of the command line, and the console. */
export class OpsServer {
  private readonly server: Server;
  private readonly pages = new Map<string, Respond>([
    ['/health/live', (response) => send(response, 200, { status: 'green' })],
    ['/health/ready', (response) => this.sendReadiness(response)],
    ['/metrics', (response) => this.sendMetrics(response)],
  ]);

  constructor(
    private readonly config: Config,
    private readonly health: Health,
    private readonly metrics: Metrics,
    private readonly gauges: Gauges,
    private readonly routes: readonly OpsRoute[],
    private readonly logAction: LogAction,
    private readonly showConsole: RequestListener,
  ) {
    const answer = (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response);
    this.server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, answer);
  }

  async listen(): Promise<string> {
    const { opsPort, opsHost } = this.config;
    this.server.listen(opsPort, opsHost);
    await once(this.server, 'listening');
    const { port } = this.server.address() as AddressInfo;
    return `http://${opsHost.includes(':') ? `[${opsHost}]` : opsHost}:${port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.handle(request, response);
    } catch (error) {
      this.sendProblem(request, response, toOpsRejection(error));
    }
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    checkOperator(path, request, this.config);
    if (isConsole(path)) return this.showConsole(request, response);
    const page = this.pages.get(path);
    if (page !== undefined) {
      requireMethod(request, response, ['GET']);
      return page(response);
    }
    const matches = findRoutes(this.routes, path);
    if (matches.length === 0) throw createRejection('not_found');
    requireMethod(
      request,
      response,
      matches.map(({ route }) => route.method),
    );
    await this.run(
      matches.find(({ route }) => route.method === request.method)!,
      query,
      request,
      response,
    );
  }

  private async run(
    { route, params }: MatchedRoute,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const input = route.method === 'GET' ? parseQuery(query) : await readJsonObject(request);
    if (route.method === 'POST') this.logAction({ request_id: requestIdFor(request), path: route.path, ...params });
    send(response, route.status ?? 200, await route.handle({ params, input, signal: closed.signal }));
  }

  private async sendReadiness(response: ServerResponse): Promise<void> {
    const readiness = await this.health.checkReadiness();
    send(response, readiness.status === 'green' ? 200 : 503, readiness);
  }

  private async sendMetrics(response: ServerResponse): Promise<void> {
    await this.gauges.refresh();
    const { registry } = this.metrics;
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  }

  private sendProblem(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const details = { path: '', requestId: requestIdFor(request), publicUrl: this.config.publicUrl };
    response
      .writeHead(statusFor(rejection.code), { ...problemHeadersFor(rejection.code), 'cache-control': NO_STORE })
      .end(JSON.stringify(toProblem(rejection, details)));
  }
}

function requireMethod({ method }: IncomingMessage, response: ServerResponse, allowed: readonly string[]): void {
  if (allowed.includes(method ?? '')) return;
  response.setHeader('allow', allowed.join(', '));
  throw createRejection('method_not_allowed');
}

function toOpsRejection(error: unknown): Rejection {
  if (!(error instanceof Error) || !REFUSED_COMMAND_ERRORS.includes(error.name)) return toRejection(error);
  const isUnknown = 'code' in error && error.code === 'not_found';
  return new Rejection(isUnknown ? 'not_found' : 'operation_refused', error.message);
}

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': NO_STORE })
    .end(JSON.stringify(body));
}
