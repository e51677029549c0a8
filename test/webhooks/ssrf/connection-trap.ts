import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { findFreePort } from '../../support/free-port.js';
import { Receiver } from '../../support/receiver.js';

/** Loopback addresses other than 127.0.0.1. Some systems have only the last one. */
const OTHERS = ['127.0.0.2', '127.0.0.3', '127.255.255.254', '::1'];
/** The error codes of listening at an address that the system does not have. */
const ABSENT: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);
const TRIES = 20;

/** Listens at one port of several loopback addresses and records connections. */
export class ConnectionTrap {
  /** The called address of every connection. */
  readonly connections: string[] = [];
  private readonly servers: Server[] = [];

  private constructor(readonly port: number) {}

  static start(): Promise<ConnectionTrap> {
    return retry(async () => new ConnectionTrap(await findFreePort()).listenAt(['127.0.0.1', ...OTHERS]));
  }

  /** Starts a receiver at 127.0.0.1 and a trap at the same port of the other addresses. */
  static startAround(): Promise<readonly [Receiver, ConnectionTrap]> {
    return retry(async () => {
      const receiver = await Receiver.start();
      try {
        return [receiver, await new ConnectionTrap(Number(new URL(receiver.url()).port)).listenAt(OTHERS)];
      } catch (error) {
        await receiver.stop();
        throw error;
      }
    });
  }

  async close(): Promise<void> {
    const closed = this.servers.map((server) => once(server, 'close'));
    for (const server of this.servers) server.close().closeAllConnections();
    await Promise.all(closed);
  }

  private async listenAt(addresses: readonly string[]): Promise<this> {
    try {
      for (const address of addresses) await this.listen(address);
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  private async listen(address: string): Promise<void> {
    const server = createServer((_, response) => response.end());
    server.on('connection', () => this.connections.push(address));
    server.listen({ port: this.port, host: address, ipv6Only: isIPv6(address) });
    try {
      await once(server, 'listening');
      this.servers.push(server);
    } catch (error) {
      if (!ABSENT.has(errorCode(error))) throw error;
    }
  }
}

/** Retries, because a port that is free at one address may be taken at another. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (errorCode(error) !== 'EADDRINUSE' || tries === TRIES) throw error;
    }
  }
}

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
