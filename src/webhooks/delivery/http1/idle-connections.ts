import type { Connection } from './connection.js';

/** Limits the kept connections to all receivers. */
const MAX_CONNECTIONS = 2_000;

/** The connections that wait for their next request. The most recently used one is taken first. */
export class IdleConnections {
  private readonly byOrigin = new Map<string, Connection[]>();
  private count = 0;

  /** Returns null when there is no connection to the origin. */
  take(origin: string): Connection | null {
    const connection = this.byOrigin.get(origin)?.at(-1);
    if (connection === undefined) return null;
    this.remove(connection);
    connection.wake();
    return connection;
  }

  /** Keeps the connection if it can be used again. */
  keep(connection: Connection): void {
    const { keepAliveMs } = connection;
    if (keepAliveMs === null) return;
    if (this.count === MAX_CONNECTIONS) return connection.close();
    const kept = this.byOrigin.get(connection.origin);
    if (kept === undefined) this.byOrigin.set(connection.origin, [connection]);
    else kept.push(connection);
    this.count++;
    connection.rest(keepAliveMs, () => this.remove(connection));
  }

  private remove(connection: Connection): void {
    const kept = this.byOrigin.get(connection.origin) ?? [];
    const index = kept.lastIndexOf(connection);
    if (index === -1) return;
    kept.splice(index, 1);
    this.count--;
    if (kept.length === 0) this.byOrigin.delete(connection.origin);
  }
}
