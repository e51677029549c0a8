import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { status, type Answer } from './answers.ts';

/** A request as received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact body, for checking signatures. */
  readonly body: string;
  readonly receivedAt: number;
}

const PATIENCE_MS = 10_000;

/** A webhook receiver on the loopback interface: stores every request and responds by a script for each path. */
export class Receiver {
  readonly requests: Received[] = [];
  private readonly server: Server;
  private readonly scripts = new Map<string, Answer[]>();
  private readonly watchers = new Set<() => void>();

  private constructor() {
    this.server = createServer((request, response) => void this.take(request, response));
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Sets the next responses of a path; the last one repeats. A path without a script responds with 200. */
  answers(path: string, ...script: Answer[]): void {
    this.scripts.set(path, script);
  }

  at(path: string): Received[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Resolves as soon as the condition holds: checks it again after every request. */
  async until(condition: () => boolean, what = 'the awaited request', patienceMs = PATIENCE_MS): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (condition()) settle(resolve);
      };
      const settle = (then: () => void) => {
        clearTimeout(timer);
        this.watchers.delete(look);
        then();
      };
      const timer = setTimeout(() => settle(() => reject(new Error(`${what} did not arrive within ${patienceMs} ms`))), patienceMs);
      this.watchers.add(look);
    });
  }

  /** Waits for the first `count` requests of a path and returns them. */
  async received(path: string, count = 1, patienceMs = PATIENCE_MS): Promise<Received[]> {
    await this.until(() => this.at(path).length >= count, `request ${count} to ${path}`, patienceMs);
    return this.at(path).slice(0, count);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    if (body === null) return;

    const path = request.url ?? '/';
    this.requests.push({ method: request.method ?? '', path, headers: request.headers, body, receivedAt: Date.now() });
    this.nextAnswer(path)(request, response);
    for (const look of [...this.watchers]) look();
  }

  private nextAnswer(path: string): Answer {
    const script = this.scripts.get(path) ?? [];
    return (script.length > 1 ? script.shift() : script[0]) ?? status(200);
  }
}

/** Returns the body, or null when the sender aborted the request. */
async function textOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}
