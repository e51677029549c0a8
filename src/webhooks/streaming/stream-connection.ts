import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

const RECONNECT_MS = 2_000;
/** A client that leaves more than this unread is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** One open response with server-sent events. */
export class StreamConnection {
  private readonly closed = new AbortController();
  private lastWriteAt: number;

  constructor(
    private readonly response: ServerResponse,
    private readonly readTime: () => number,
  ) {
    this.lastWriteAt = readTime();
    response.once('close', () => this.closed.abort('closed'));
    response.on('error', () => this.close());
  }

  /** Aborts when the connection is closed, by either side. */
  get signal(): AbortSignal {
    return this.closed.signal;
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.response.writeHead(200, headers);
    this.write(`retry: ${RECONNECT_MS}\n\n`);
  }

  /** Writes at once. Disconnects a client that does not read. */
  write(text: string): void {
    if (this.signal.aborted) return;
    this.lastWriteAt = this.readTime();
    this.response.write(text);
    if (this.response.writableLength > MAX_UNREAD_BYTES) this.response.destroy();
  }

  /** Writes, and waits until the client has read most of it. */
  async writeAndDrain(text: string): Promise<void> {
    this.write(text);
    if (this.signal.aborted || !this.response.writableNeedDrain) return;
    // The wait ends with the connection too.
    await once(this.response, 'drain', { signal: this.signal }).catch(() => undefined);
  }

  /** Writes a comment when nothing was written for this time, so that proxies keep the connection. */
  keepAlive(idleMs: number): void {
    if (this.readTime() - this.lastWriteAt >= idleMs) this.write(':\n\n');
  }

  /** Ends the response after what was written. */
  close(): void {
    this.response.end();
    this.closed.abort('closed');
  }
}
