import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterSpec } from './cleanups.ts';
import { type ReceiverResponse, respondWith } from './receiver-responses.ts';

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The exact body, for checking signatures. */
  readonly body: string;
  readonly receivedAt: number;
}

const TIMEOUT_MS = 30_000;

/** A webhook receiver on the loopback interface: stores every request and responds by a script for each path. */
export class Receiver {
  readonly requests: ReceivedRequest[] = [];
  private readonly server: Server;
  private readonly scripts = new Map<string, ReceiverResponse[]>();
  private readonly listeners = new Set<() => void>();
  private readonly cleanup = closeAfterSpec(() => this.stop());

  private constructor() {
    this.server = createServer((request, response) => void this.handle(request, response));
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
  setResponses(path: string, ...script: ReceiverResponse[]): void {
    this.scripts.set(path, script);
  }

  requestsFor(path: string): ReceivedRequest[] {
    return this.requests.filter((request) => request.path === path);
  }

  /** Resolves as soon as the condition holds: checks it again after every request. */
  async waitUntil(
    condition: () => boolean,
    description = 'the awaited request',
    timeoutMs = TIMEOUT_MS,
  ): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const check = () => {
        if (condition()) settle(resolve);
      };
      const settle = (then: () => void) => {
        clearTimeout(timer);
        this.listeners.delete(check);
        then();
      };
      const timer = setTimeout(
        () => settle(() => reject(new Error(`${description} did not arrive within ${timeoutMs} ms`))),
        timeoutMs,
      );
      this.listeners.add(check);
    });
  }

  /** Waits for the first `count` requests of a path and returns them. */
  async waitForRequests(path: string, count = 1, timeoutMs = TIMEOUT_MS): Promise<ReceivedRequest[]> {
    await this.waitUntil(() => this.requestsFor(path).length >= count, `request ${count} to ${path}`, timeoutMs);
    return this.requestsFor(path).slice(0, count);
  }

  async stop(): Promise<void> {
    this.cleanup.cancel();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body === null) return;

    const path = request.url ?? '/';
    this.requests.push({ method: request.method ?? '', path, headers: request.headers, body, receivedAt: Date.now() });
    this.takeNextResponse(path)(request, response);
    for (const look of [...this.listeners]) look();
  }

  private takeNextResponse(path: string): ReceiverResponse {
    const script = this.scripts.get(path) ?? [];
    return (script.length > 1 ? script.shift() : script[0]) ?? respondWith(200);
  }
}

/** Returns the body, or null when the sender aborted the request. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}
