import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A receiver's response to one request. */
export type ReceiverResponse = (request: IncomingMessage, response: ServerResponse) => void;

const MEBIBYTE = 1024 * 1024;

export function respondWith(code: number, headers: OutgoingHttpHeaders = {}, body = ''): ReceiverResponse {
  return (_, response) => response.writeHead(code, headers).end(body);
}

export function redirect(location: string, code = 302): ReceiverResponse {
  return respondWith(code, { location });
}

/** Accepts the request and never responds. */
export function hang(): ReceiverResponse {
  return () => undefined;
}

/** Responds with 200 and then sends one byte at a time, without end. */
export function drip(everyMs = 200): ReceiverResponse {
  return (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

/** Resets the connection instead of responding. */
export function reset(): ReceiverResponse {
  return (request) => request.socket.resetAndDestroy();
}

/** Responds with 200 and a body of this size. */
export function sendLargeBody(bytes = 10 * MEBIBYTE): ReceiverResponse {
  return (_, response) => response.writeHead(200, { 'content-length': bytes }).end(Buffer.alloc(bytes, 'x'));
}

/** Responds with a few kilobytes that inflate to many megabytes. */
export function sendGzipBomb(inflatedBytes = 100 * MEBIBYTE): ReceiverResponse {
  const bomb = gzipSync(Buffer.alloc(inflatedBytes));
  return (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
}

/** Repeats one response: `...repeat(3, respondWith(500)), respondWith(200)`. */
export function repeat(count: number, answer: ReceiverResponse): ReceiverResponse[] {
  return Array.from({ length: count }, () => answer);
}
