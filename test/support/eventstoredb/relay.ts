import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Between a client and its server: every byte goes through here, until it is cut. */
export class Relay {
  private readonly sockets = new Set<Socket>();

  private readonly server: Server;

  private constructor(server: Server) {
    this.server = server;
  }

  static async to(port: number): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(server);
    server.on('connection', (socket) => relay.join(socket, connect(port, '127.0.0.1')));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get connection(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  /** Ends every connection in the middle of whatever it carries. New ones are let through. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Lets nothing through any more, and ends nothing. */
  freeze(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  close(): void {
    this.cut();
    this.server.close();
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }
}
