import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MeasuredServer } from '../server.ts';

/** A request as the receiver recorded it. */
export interface Arrival {
  /** Milliseconds since 1970, with fractions. */
  readonly at: number;
  readonly body?: string;
}

/** The path for which the receiver also stores the bodies. */
export const READ_PATH = '/read';
const POLL_MS = 20;
const TIMEOUT_MS = 120_000;

/** A client of the receiver process. */
export class Arrivals {
  private readonly server: MeasuredServer;

  private constructor(server: MeasuredServer) {
    this.server = server;
  }

  static async start(): Promise<Arrivals> {
    return new Arrivals(await MeasuredServer.start(join(import.meta.dirname, 'receiver.ts'), {}));
  }

  get url(): string {
    return this.server.url;
  }

  async forget(): Promise<void> {
    await fetch(this.url, { method: 'DELETE' });
  }

  /** Waits for `count` requests; returns all requests so far. */
  async waitForFirst(count: number): Promise<readonly Arrival[]> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await delay(POLL_MS)) {
      if ((await this.request<number>('/count')) >= count) return this.request<Arrival[]>('/');
    }
    throw new Error(`${await this.request<number>('/count')} of ${count} requests arrived`);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async request<T>(path: string): Promise<T> {
    return (await (await fetch(this.url + path)).json()) as T;
  }
}
