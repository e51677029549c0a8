import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A receiver's response to one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const MEBIBYTE = 1024 * 1024;

export function status(code: number, headers: OutgoingHttpHeaders = {}, body = ''): Answer {
  return (_, response) => response.writeHead(code, headers).end(body);
}

export function redirect(location: string, code = 302): Answer {
  return status(code, { location });
}

/** Accepts the request and never responds. */
export function hang(): Answer {
  return () => undefined;
}

/** Responds with 200 and then sends one byte at a time, without end. */
export function drip(everyMs = 200): Answer {
  return (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

/** Resets the connection instead of responding. */
export function reset(): Answer {
  return (request) => request.socket.resetAndDestroy();
}

/** Responds with 200 and a body of this size. */
export function huge(bytes = 10 * MEBIBYTE): Answer {
  return (_, response) => response.writeHead(200, { 'content-length': bytes }).end(Buffer.alloc(bytes, 'x'));
}

/** Responds with a few kilobytes that inflate to many megabytes. */
export function gzipBomb(inflatedBytes = 100 * MEBIBYTE): Answer {
  const bomb = gzipSync(Buffer.alloc(inflatedBytes));
  return (_, response) => response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
}

/** Repeats one response: `...repeat(3, respondWith(500)), respondWith(200)`. */
export function times(count: number, answer: Answer): Answer[] {
  return Array.from({ length: count }, () => answer);
}
