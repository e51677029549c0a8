import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** What becomes of a new connection. */
type Reception = 'served' | 'left alone' | 'reset';

/** Between a client and its server: every byte goes through here, and suffers what the network is to do to it. */
export class Relay {
  private readonly sockets = new Set<Socket>();
  private reception: Reception = 'served';
  private asks = true;
  private answers = true;
  private delayMs = 0;

  private readonly server: Server;
  private readonly target: number;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.target = target;
  }

  /** @param target the server's port on the loopback */
  static async to(target: number): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server, target);
    server.on('connection', (socket) => relay.receive(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends every connection in the middle of whatever it carries. New ones are let through. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Lets nothing through any more on the connections that are there, and ends none. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Whatever is sent arrives later by so much, either way. */
  slow(ms: number): void {
    this.delayMs = ms;
  }

  /** Nothing arrives any more, and nobody is told: neither on the connections that are there nor on new ones. */
  swallow(): void {
    this.asks = this.answers = false;
    this.reception = 'left alone';
  }

  /** What is asked arrives; what is answered does not. */
  swallowAnswers(): void {
    this.answers = false;
  }

  /** Every connection is cut, and so is each new one at once. */
  reset(): void {
    this.reception = 'reset';
    this.cut();
  }

  /** All is well again, for new connections: those that have lost something are cut. */
  heal(): void {
    [this.asks, this.answers, this.delayMs, this.reception] = [true, true, 0, 'served'];
    this.cut();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private receive(near: Socket): void {
    if (this.reception === 'reset') return void near.resetAndDestroy();
    if (this.reception === 'served') return this.join(near, connect(this.target, '127.0.0.1'));
    this.keep(near);
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to, passes] of [
      [near, far, () => this.asks],
      [far, near, () => this.answers],
    ] as const) {
      this.keep(from);
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(this.way(passes)).pipe(to);
    }
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }

  private way(passes: () => boolean): Transform {
    return new Transform({
      transform: (bytes: Buffer, _, done) => {
        if (!passes()) done();
        else if (this.delayMs === 0) done(null, bytes);
        else setTimeout(() => done(null, bytes), this.delayMs);
      },
    });
  }
}
