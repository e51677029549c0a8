import type { Socket } from 'node:net';
import type { Deadline } from '../deadline.js';
import { InvalidResponse, type Response, ResponseReader } from './response-reader.js';

/** Thrown when the receiver ended the connection before it answered. */
export class ConnectionClosed extends Error {}

/** Thrown when the deadline passed before the end of the response. */
export class DeadlinePassed extends Error {}

interface Exchange {
  readonly reader: ResponseReader;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

/** One connection to a receiver. It carries one request at a time. */
export class Connection {
  private exchange: Exchange | null = null;
  /** For how long the connection can be used again; null when it cannot. */
  keepAliveMs: number | null = null;
  /** Called when an idle connection has ended. */
  private onEnd: (() => void) | null = null;

  constructor(
    readonly origin: string,
    private readonly socket: Socket,
  ) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('end', () => this.end(new ConnectionClosed()));
    socket.on('error', (error) => this.end(error));
    socket.on('close', () => this.end(new ConnectionClosed()));
    socket.on('timeout', () => this.close());
  }

  /**
   * Sends a request and returns its response.
   * @throws ConnectionClosed, DeadlinePassed, InvalidResponse, ResponseTooLarge, and the errors of the network and of TLS
   */
  async exchangeMessages(message: Buffer, maxBodyBytes: number, deadline: Deadline): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.exchange = { reader: new ResponseReader(maxBodyBytes), resolve, reject };
    deadline.setEnd(() => this.close(new DeadlinePassed()));
    this.socket.write(message);
    return promise.finally(() => deadline.setEnd(null));
  }

  /** Keeps the connection without keeping the process alive. `onEnd` is called once, when it can no longer be used. */
  rest(timeoutMs: number, onEnd: () => void): void {
    this.onEnd = onEnd;
    this.socket.setTimeout(timeoutMs).unref();
  }

  wake(): void {
    this.onEnd = null;
    this.socket.setTimeout(0).ref();
  }

  /** Ends the connection and, with this error, its exchange. */
  close(error: Error = new ConnectionClosed()): void {
    this.socket.destroy();
    this.exchange?.reject(error);
    this.exchange = null;
    this.onEnd?.();
    this.onEnd = null;
  }

  private take(chunk: Buffer): void {
    // Bytes that no request asked for, such as a proxy's 408 for the idle connection.
    if (this.exchange === null) return this.close();
    try {
      if (this.exchange.reader.push(chunk)) this.complete(this.exchange);
    } catch (error) {
      this.close(error as Error);
    }
  }

  /** A receiver that closes or fails after its status line has answered. */
  private end(error: Error): void {
    if (this.exchange?.reader.hasAnswer) this.complete(this.exchange);
    this.close(this.exchange?.reader.isInvalid ? new InvalidResponse() : error);
  }

  private complete({ reader, resolve }: Exchange): void {
    this.exchange = null;
    const isWritten = this.socket.writableLength === 0;
    this.keepAliveMs = isWritten ? reader.findKeepAliveMs() : null;
    if (this.keepAliveMs === null) this.socket.destroy();
    resolve(reader.response);
  }
}
