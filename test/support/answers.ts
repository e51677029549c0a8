import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** How a receiver behaves towards one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const MEBIBYTE = 1024 * 1024;

export function status(code: number, headers: OutgoingHttpHeaders = {}, body = ''): Answer {
  return (_, response) => response.writeHead(code, headers).end(body);
}

export function redirect(location: string, code = 302): Answer {
  return status(code, { location });
}

/** Takes the request and never answers. */
export function hang(): Answer {
  return () => undefined;
}

/** Answers 200 and then one byte at a time, for ever. */
export function drip(everyMs = 200): Answer {
  return (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

/** Breaks the connection off instead of answering. */
export function reset(): Answer {
  return (request) => request.socket.resetAndDestroy();
}

/** A 200 with a body of this size, as fast as it is taken. */
export function huge(bytes = 10 * MEBIBYTE): Answer {
  return (_, response) => response.writeHead(200, { 'content-length': bytes }).end(Buffer.alloc(bytes, 'x'));
}

/** A few kilobytes that inflate to many megabytes. */
export function gzipBomb(inflatedBytes = 100 * MEBIBYTE): Answer {
  const bomb = gzipSync(Buffer.alloc(inflatedBytes));
  return (_, response) => response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
}

/** The same answer several times in a row: `...times(3, status(500)), status(200)`. */
export function times(count: number, answer: Answer): Answer[] {
  return Array.from({ length: count }, () => answer);
}
