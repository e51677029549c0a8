import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../../config.js';
import { problemHeadersFor, toProblem } from '../../http/problems/problem.js';
import { type ProblemCode, statusFor } from '../../http/problems/problem-codes.js';
import { createRejection } from '../../http/problems/rejection-mapping.js';
import { requestIdFor } from '../../http/server/request-id.js';
import { isLoopback } from '../../loopback.js';
import type { Gauges } from '../metrics/gauges.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Health } from './health.js';

/** Load balancers and container engines request this path without a token. */
const PUBLIC_PATH = '/health/live';

/**
 * Serves operators on a separate port. When other machines can reach it, every path except liveness requires
 * `OPS_TOKEN`.
 */
export class OpsServer {
  private readonly server: Server;
  private readonly routes = new Map<string | undefined, (response: ServerResponse) => void | Promise<void>>([
    ['/health/live', (response) => send(response, 200, { status: 'green' })],
    ['/health/ready', (response) => this.sendReadiness(response)],
    ['/metrics', (response) => this.sendMetrics(response)],
  ]);

  constructor(
    private readonly config: Config,
    private readonly health: Health,
    private readonly metrics: Metrics,
    private readonly gauges: Gauges,
  ) {
    this.server = createServer((request, response) => void this.handle(request, response));
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

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?', 1)[0];
    const problem = path === PUBLIC_PATH ? null : this.checkCredentials(request);
    if (problem !== null) return this.sendProblem(request, response, problem);
    const route = this.routes.get(path);
    if (route === undefined) return this.sendProblem(request, response, 'not_found');
    if (request.method !== 'GET')
      return this.sendProblem(request, response.setHeader('allow', 'GET'), 'method_not_allowed');
    await route(response);
  }

  private checkCredentials({ headers: { authorization } }: IncomingMessage): ProblemCode | null {
    if (isLoopback(this.config.opsHost)) return null;
    if (authorization === undefined) return 'authentication_required';
    const [scheme, token] = authorization.split(' ', 2);
    return scheme?.toLowerCase() === 'bearer' && equalsInConstantTime(token ?? '', this.config.opsToken)
      ? null
      : 'invalid_credentials';
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

  private sendProblem(request: IncomingMessage, response: ServerResponse, code: ProblemCode): void {
    const details = { path: '', requestId: requestIdFor(request), publicUrl: this.config.publicUrl };
    response
      .writeHead(statusFor(code), problemHeadersFor(code))
      .end(JSON.stringify(toProblem(createRejection(code), details)));
  }
}

function equalsInConstantTime(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
