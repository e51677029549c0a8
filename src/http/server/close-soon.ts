import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A rejected connection stays open this long, so that the client can read the response. */
const CLOSE_MS = 500;

/** Connections that are being closed. What arrives on them is dropped. */
const closing = new WeakSet<Duplex>();

/**
 * Sends the last bytes on a socket and closes it, also when the client never closes its side. Until then the service
 * reads what the client sends: a socket with unread bytes is reset, and the client may lose the response.
 */
export function endSoon(socket: Duplex, bytes = ''): void {
  closing.add(socket);
  socket.end(bytes);
  destroySoon(socket);
}

export function isEnding(socket: Duplex): boolean {
  return closing.has(socket);
}

/** Closes the connection after the response, of which its head tells the client. */
export function endAfterResponse({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  void reply.header('connection', 'close');
  endInPlaceOfReset(socket);
}

/** Node destroys a socket as soon as the last response is sent, also when bytes of the request are unread. */
export function endInPlaceOfReset(socket: Socket): void {
  socket.destroySoon = () => endSoon(socket);
}

/**
 * Destroys a socket after `CLOSE_MS` if the condition still holds, and releases its descriptor. It adds no listener to
 * the socket, because a connection with many rejected requests would collect them.
 */
export function destroySoon(socket: Duplex, condition: () => boolean = () => true): void {
  setTimeout(() => {
    if (condition()) socket.destroy();
  }, CLOSE_MS).unref();
}
