import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { closeAfterSpec } from './cleanups.ts';

/** When a receiver answers: on the connection, after the head of the request, or after all of it. */
export type AnswerTime = 'connection' | 'head' | 'request';

export interface RawAnswer {
  /** Default: request. */
  readonly at?: AnswerTime;
  /** Called once for each request. `nth`: the number of the request on its connection, from 1. */
  readonly send: (socket: Socket, nth: number) => void;
}

const HEAD_END = '\r\n\r\n';

/** A receiver that writes plain bytes in place of an HTTP server, with or without TLS. */
export class RawReceiver {
  /** The whole requests, in the order in which they ended. */
  readonly requests: string[] = [];
  connections = 0;
  private readonly arrivals = new EventEmitter<{ request: [] }>();
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly cleanup = closeAfterSpec(() => this.stop());

  private constructor(
    private readonly answer: RawAnswer,
    private readonly tls?: TlsOptions,
  ) {
    // A receiver may end its side of the connection and read on.
    const options = { allowHalfOpen: true, noDelay: true };
    const take = (socket: Socket) => this.serve(socket);
    this.server = tls === undefined ? createServer(options, take) : createTlsServer({ ...options, ...tls }, take);
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static async start(answer: RawAnswer, tls?: TlsOptions): Promise<RawReceiver> {
    const receiver = new RawReceiver(answer, tls);
    await once(receiver.server.listen(0, '127.0.0.1'), 'listening');
    return receiver;
  }

  get url(): string {
    const scheme = this.tls === undefined ? 'http' : 'https';
    return `${scheme}://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  /** Waits until so many whole requests have arrived. */
  async waitForRequests(count: number): Promise<void> {
    while (this.requests.length < count) await once(this.arrivals, 'request');
  }

  async stop(): Promise<void> {
    this.cleanup.cancel();
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(socket: Socket): void {
    this.connections++;
    socket.on('error', () => undefined);
    let [received, nth, hasAnswered] = ['', 1, false];
    const answer = (at: AnswerTime) => {
      if (hasAnswered || (this.answer.at ?? 'request') !== at) return;
      hasAnswered = true;
      this.answer.send(socket, nth);
    };
    answer('connection');
    socket.on('end', () => socket.end());
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.includes(HEAD_END)) answer('head');
      if (!isWhole(received)) return;
      this.requests.push(received);
      answer('request');
      this.arrivals.emit('request');
      [received, nth, hasAnswered] = ['', nth + 1, false];
    });
  }
}

function isWhole(request: string): boolean {
  const head = request.indexOf(HEAD_END);
  if (head === -1) return false;
  const length = /^content-length: (\d+)/im.exec(request.slice(0, head))?.[1] ?? '0';
  return request.length >= head + HEAD_END.length + Number(length);
}
