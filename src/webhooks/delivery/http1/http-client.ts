import type { Deadline } from '../deadline.js';
import { Connection } from './connection.js';
import { IdleConnections } from './idle-connections.js';
import { openSocket, type Target } from './open-socket.js';
import type { Response } from './response-reader.js';

export interface HttpClientLimits {
  /** For TCP and TLS together. */
  readonly connectMs: number;
  /** A longer body is cut off. */
  readonly bodyBytes: number;
}

const REQUEST_TIMEOUT = 408;

/**
 * A client of HTTP/1.1 that accepts every response in which common clients see a status. It follows no redirects,
 * decompresses nothing and uses no proxy.
 */
export class HttpClient {
  private readonly idle = new IdleConnections();

  constructor(private readonly limits: HttpClientLimits) {}

  /**
   * Sends a request, on a kept connection where there is one. `isNew`: always on a new connection, which the receiver
   * cannot just be closing.
   * @throws ConnectTimeout and the errors of `Connection.exchangeMessages`
   */
  async send(target: Target, message: Buffer, deadline: Deadline, isNew = false): Promise<Response> {
    const kept = isNew ? null : this.idle.take(target.url.origin);
    if (kept !== null) {
      const response = await this.exchange(kept, message, deadline);
      if (!isForIdleConnection(response)) return response;
    }
    const socket = await openSocket(target, this.limits.connectMs, deadline);
    return this.exchange(new Connection(target.url.origin, socket), message, deadline);
  }

  private async exchange(connection: Connection, message: Buffer, deadline: Deadline): Promise<Response> {
    const response = await connection.exchangeMessages(message, this.limits.bodyBytes, deadline);
    this.idle.keep(connection);
    return response;
  }
}

/**
 * Returns whether a response on a kept connection says that the connection was idle for too long. A proxy sends it
 * without a request; one that crosses it has not been read, so it may be sent again.
 */
function isForIdleConnection({ status, headers }: Response): boolean {
  return status === REQUEST_TIMEOUT && /\bclose\b/i.test(headers.get('connection') ?? '');
}
