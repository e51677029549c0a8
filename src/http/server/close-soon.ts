import type { Duplex } from 'node:stream';

/** A rejected connection stays open this long, so that the client can read the response. */
const CLOSE_MS = 500;

/** Sends the last bytes on a socket and closes it, also when the client never closes its side. */
export function endSoon(socket: Duplex, bytes: string): void {
  socket.end(bytes);
  destroySoon(socket);
}

/** Destroys a socket after `CLOSE_MS` if the condition still holds, and releases its descriptor. */
export function destroySoon(socket: Duplex, condition: () => boolean = () => true): void {
  const timer = setTimeout(() => {
    socket.off('close', cancel);
    if (condition()) socket.destroy();
  }, CLOSE_MS).unref();
  const cancel = () => clearTimeout(timer);
  socket.once('close', cancel);
}
