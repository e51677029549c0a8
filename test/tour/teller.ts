import { setTimeout as delay } from 'node:timers/promises';
import { Api, type Reply, type RequestHeaders } from '../support/api.ts';

const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 50;
const SECRETS = new Set(['signing_secret', 'cart_token', 'secret']);

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: RequestHeaders;
  /** The expected status. The tour stops after any other status. */
  readonly status: number;
}

/** Makes the calls of the tour and prints each step, request and response. */
export class Teller {
  private steps = 0;

  step(title: string): void {
    console.log(`\n${++this.steps}. ${title}`);
  }

  say(line: string): void {
    console.log(`   ${line}`);
  }

  /** Returns the `data` of the response body. @throws Error for an unexpected status */
  async call(api: Api, { method, path, body, headers, status }: Call): Promise<Reply['body']> {
    this.say(`→ ${method} ${path}${headersLine(headers)}${body === undefined ? '' : ` ${JSON.stringify(body)}`}`);
    const reply = await api.send(method, path, body, headers);
    this.say(`← ${reply.status} ${JSON.stringify(reply.body, masked)}`);
    if (reply.status !== status) throw new Error(`Expected ${status} from ${method} ${path}, got ${reply.status}.`);
    return reply.body.data;
  }

  /** Makes a call as soon as its resource exists: polls while the response is 404. */
  async await(api: Api, call: Call): Promise<Reply['body']> {
    const end = Date.now() + PATIENCE_MS;
    while ((await api.get(call.path)).status === 404 && Date.now() < end) await delay(LOOK_AGAIN_MS);
    return this.call(api, call);
  }

  /** Checks a fact and prints it. @throws Error when it is false */
  holds(fact: string, condition: boolean): void {
    if (!condition) throw new Error(`This check failed: ${fact}.`);
    this.say(`✓ ${fact}`);
  }
}

function headersLine(headers: RequestHeaders = {}): string {
  return Object.entries(headers)
    .map(([name, value]) => ` [${name}: ${value}]`)
    .join('');
}

function masked(name: string, value: unknown): unknown {
  return SECRETS.has(name) && typeof value === 'string' ? `${value.slice(0, 6)}…` : value;
}
