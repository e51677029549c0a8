import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks connections. Idle ones, and those with an incomplete request, would delay the shutdown of the process. */
export class Connections {
  private readonly open = new Set<Socket>();
  private readonly busy = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.opened(socket));
    server.on('request', ({ socket }, response) => {
      this.busy.add(socket);
      response.once('close', () => this.busy.delete(socket));
    });
  }

  cutSilent(): void {
    for (const socket of this.open) if (!this.busy.has(socket)) socket.destroy();
  }

  cutAll(): void {
    this.server.closeAllConnections();
  }

  private opened(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
  }
}
