import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.js';
import { isLoopback } from '../loopback.js';
import { statusOf, type Code } from '../http/codes.js';
import { headersOf, problemOf } from '../http/problem.js';
import { rejection } from '../http/refusals.js';
import { requestIdOf } from '../http/request-id.js';
import type { Health } from './health.js';
import type { Gauges } from './metrics/gauges.js';
import type { Metrics } from './metrics/metrics.js';

/** Load balancers and container engines request this path without a token. */
const WITHOUT_TOKEN = '/health/live';

/**
 * Serves operators on a separate port. When other machines can reach it, every path except liveness requires
 * `OPS_TOKEN`.
 */
export class OpsServer {
  private readonly server: Server;
  private readonly pages = new Map<string | undefined, (response: ServerResponse) => void | Promise<void>>([
    ['/health/live', (response) => send(response, 200, { status: 'green' })],
    ['/health/ready', (response) => this.readiness(response)],
    ['/metrics', (response) => this.numbers(response)],
  ]);

  constructor(
    private readonly config: Config,
    private readonly health: Health,
    private readonly metrics: Metrics,
    private readonly gauges: Gauges,
  ) {
    this.server = createServer((request, response) => void this.answer(request, response));
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
    const path = request.url?.split('?', 1)[0];
    const problem = path === WITHOUT_TOKEN ? null : this.credentialProblem(request);
    if (problem !== null) return this.refuse(request, response, problem);
    const page = this.pages.get(path);
    if (page === undefined) return this.refuse(request, response, 'not_found');
    if (request.method !== 'GET') return this.refuse(request, response.setHeader('allow', 'GET'), 'method_not_allowed');
    await page(response);
  }

  private credentialProblem({ headers: { authorization } }: IncomingMessage): Code | null {
    if (isLoopback(this.config.opsHost)) return null;
    if (authorization === undefined) return 'authentication_required';
    const [scheme, token] = authorization.split(' ', 2);
    return scheme?.toLowerCase() === 'bearer' && isSame(token ?? '', this.config.opsToken) ? null : 'invalid_credentials';
  }

  private async readiness(response: ServerResponse): Promise<void> {
    const readiness = await this.health.readiness();
    send(response, readiness.status === 'green' ? 200 : 503, readiness);
  }

  private async numbers(response: ServerResponse): Promise<void> {
    await this.gauges.look();
    const { registry } = this.metrics;
    response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
  }

  private refuse(request: IncomingMessage, response: ServerResponse, code: Code): void {
    const asked = { path: '', requestId: requestIdOf(request), publicUrl: this.config.publicUrl };
    response.writeHead(statusOf(code), headersOf(code)).end(JSON.stringify(problemOf(rejection(code), asked)));
  }
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
