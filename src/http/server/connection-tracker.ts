import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Tracks connections. Idle ones, and those with an incomplete request, would delay the shutdown of the process. */
export class ConnectionTracker {
  private readonly openSockets = new Set<Socket>();
  private readonly busySockets = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.track(socket));
    server.on('request', ({ socket }, response) => {
      this.busySockets.add(socket);
      response.once('close', () => this.busySockets.delete(socket));
    });
  }

  closeIdle(): void {
    for (const socket of this.openSockets) if (!this.busySockets.has(socket)) socket.destroy();
  }

  closeAll(): void {
    this.server.closeAllConnections();
  }

  private track(socket: Socket): void {
    this.openSockets.add(socket);
    socket.once('close', () => this.openSockets.delete(socket));
  }
}
