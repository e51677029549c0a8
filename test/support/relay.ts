import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** The handling of new connections. */
type Reception = 'served' | 'left alone' | 'reset';

/** A proxy between a client and its server that simulates network faults. */
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

  /** Resets every open connection. New connections work. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Stops forwarding on the open connections without closing them. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Delays all bytes in both directions. */
  slow(ms: number): void {
    this.delayMs = ms;
  }

  /** Drops all bytes silently, on open and on new connections. */
  swallow(): void {
    this.asks = this.answers = false;
    this.reception = 'left alone';
  }

  /** Forwards requests and drops responses. */
  swallowAnswers(): void {
    this.answers = false;
  }

  /** Resets every open connection and each new one. */
  reset(): void {
    this.reception = 'reset';
    this.cut();
  }

  /** Ends all faults for new connections and resets the open ones, which may have lost bytes. */
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
