import { setTimeout as delay } from 'node:timers/promises';
import { Api, type ApiResponse, type RequestHeaders } from '../support/api.ts';

const TIMEOUT_MS = 10_000;
const POLL_MS = 50;
const SECRETS = new Set(['signing_secret', 'cart_token', 'secret']);

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: RequestHeaders;
  /** The expected status. The tour stops after any other status. */
  readonly status: number;
}

/** Makes the calls of the tour and prints each step, request and response. */
export class TourReporter {
  private steps = 0;

  step(title: string): void {
    console.log(`\n${++this.steps}. ${title}`);
  }

  print(line: string): void {
    console.log(`   ${line}`);
  }

  /** Returns the `data` of the response body. @throws Error for an unexpected status */
  async call(api: Api, { method, path, body, headers, status }: Call): Promise<ApiResponse['body']> {
    this.print(`→ ${method} ${path}${formatHeaders(headers)}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
    const reply = await api.send(method, path, body, headers);
    this.print(`← ${reply.status} ${JSON.stringify(reply.body, maskSecret)}`);
    if (reply.status !== status) throw new Error(`Expected ${status} from ${method} ${path}, got ${reply.status}.`);
    return reply.body.data;
  }

  /** Makes a call as soon as its resource exists: polls while the response is 404. */
  async callWhenFound(api: Api, call: Call): Promise<ApiResponse['body']> {
    const end = Date.now() + TIMEOUT_MS;
    while ((await api.get(call.path)).status === 404 && Date.now() < end) await delay(POLL_MS);
    return this.call(api, call);
  }

  /** Checks a fact and prints it. @throws Error when it is false */
  check(fact: string, condition: boolean): void {
    if (!condition) throw new Error(`This check failed: ${fact}.`);
    this.print(`✓ ${fact}`);
  }
}

function formatHeaders(headers: RequestHeaders = {}): string {
  return Object.entries(headers)
    .map(([name, value]) => ` [${name}: ${value}]`)
    .join('');
}

function maskSecret(name: string, value: unknown): unknown {
  return SECRETS.has(name) && typeof value === 'string' ? `${value.slice(0, 6)}…` : value;
}
