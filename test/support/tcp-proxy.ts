import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** The handling of new connections. */
type ConnectionMode = 'served' | 'left alone' | 'reset';

/** A proxy between a client and its server that simulates network faults. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private connectionMode: ConnectionMode = 'served';
  private forwardsRequests = true;
  private forwardsResponses = true;
  private delayMs = 0;

  private readonly server: Server;
  private readonly target: number;

  private constructor(server: Server, target: number) {
    this.server = server;
    this.target = target;
  }

  /** @param target the server's port on the loopback */
  static async startFor(target: number): Promise<TcpProxy> {
    const server = createServer();
    const relay = new TcpProxy(server, target);
    server.on('connection', (socket) => relay.accept(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Resets every open connection. New connections work. */
  resetConnections(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Stops forwarding on the open connections without closing them. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** Delays all bytes in both directions. */
  delay(ms: number): void {
    this.delayMs = ms;
  }

  /** Drops all bytes silently, on open and on new connections. */
  dropAll(): void {
    this.forwardsRequests = this.forwardsResponses = false;
    this.connectionMode = 'left alone';
  }

  /** Forwards requests and drops responses. */
  dropResponses(): void {
    this.forwardsResponses = false;
  }

  /** Resets every open connection and each new one. */
  refuseConnections(): void {
    this.connectionMode = 'reset';
    this.resetConnections();
  }

  /** Ends all faults for new connections and resets the open ones, which may have lost bytes. */
  restore(): void {
    [this.forwardsRequests, this.forwardsResponses, this.delayMs, this.connectionMode] = [true, true, 0, 'served'];
    this.resetConnections();
  }

  close(): void {
    this.resetConnections();
    this.server.close();
  }

  private accept(near: Socket): void {
    if (this.connectionMode === 'reset') return void near.resetAndDestroy();
    if (this.connectionMode === 'served') return this.connectTo(near, connect(this.target, '127.0.0.1'));
    this.track(near);
  }

  private connectTo(near: Socket, far: Socket): void {
    for (const [from, to, passes] of [
      [near, far, () => this.forwardsRequests],
      [far, near, () => this.forwardsResponses],
    ] as const) {
      this.track(from);
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(this.createPipe(passes)).pipe(to);
    }
  }

  private track(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
  }

  private createPipe(passes: () => boolean): Transform {
    return new Transform({
      transform: (bytes: Buffer, _, done) => {
        if (!passes()) done();
        else if (this.delayMs === 0) done(null, bytes);
        else setTimeout(() => done(null, bytes), this.delayMs);
      },
    });
  }
}
