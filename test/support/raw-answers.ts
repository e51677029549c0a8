import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { RawAnswer } from './raw-receiver.ts';

/** A response in raw bytes, with the status that it carries. */
export interface RawCase extends RawAnswer {
  readonly name: string;
  readonly status: number;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;
const MEBIBYTE = 1024 * 1024;

const write = (text: string) => (socket: Socket) => void socket.write(text, 'latin1');
const writeAndEnd = (text: string) => (socket: Socket) => void socket.end(text, 'latin1');

/** Writes, and resets the connection once the bytes have left. With TLS it only closes it. */
const writeAndReset = (text: string) => (socket: Socket) =>
  void socket.write(text, 'latin1', () => (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy()));

/** Writes one byte in each turn of the event loop. */
const writeByBytes = (text: string) => (socket: Socket) => {
  let at = 0;
  const next = () => {
    if (at === text.length || socket.destroyed) return;
    socket.write(text[at++]!, 'latin1');
    setImmediate(next);
  };
  next();
};

const keptOpen = (name: string, text: string, status = 200): RawCase => ({ name, status, send: write(text) });
const closed = (name: string, text: string, status = 200): RawCase => ({ name, status, send: writeAndEnd(text) });

const INTERIM: readonly RawCase[] = [
  keptOpen('100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`),
  keptOpen('102 Processing', `HTTP/1.1 102 Processing\r\n\r\n${EMPTY}`),
  keptOpen('103 Early Hints with headers', `HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n${EMPTY}`),
  keptOpen('199', `HTTP/1.1 199 Unknown\r\n\r\n${EMPTY}`),
  keptOpen('20 interim responses', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20) + EMPTY),
  keptOpen(
    '100 Continue before a 503',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n`,
    503,
  ),
  {
    name: '100 Continue after the head of the request',
    status: 200,
    ...inTwoSteps('HTTP/1.1 100 Continue\r\n\r\n', EMPTY),
  },
];

const LENGTHS: readonly RawCase[] = [
  ...[' ', ' '.repeat(10), '\t', ' \t'].map((space) =>
    keptOpen(`Content-Length with ${JSON.stringify(space)} after it`, `${OK}Content-Length: 2${space}\r\n\r\nOK`),
  ),
  keptOpen('Content-Length with spaces before it', `${OK}Content-Length:   2\r\n\r\nOK`),
  keptOpen('Content-Length with no space before it', `${OK}Content-Length:2\r\n\r\nOK`),
  keptOpen('Content-Length: 0 with a space after it', `${OK}Content-Length: 0 \r\n\r\n`),
  keptOpen('Content-Length of leading zeros', `${OK}Content-Length: 0002\r\n\r\nOK`),
  keptOpen('two equal Content-Length lines', `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nOK`),
  keptOpen('two different Content-Length lines', `${OK}Content-Length: 5\r\nContent-Length: 2\r\n\r\nOK`),
  closed('a list of lengths', `${OK}Content-Length: 2, 2\r\n\r\nOK`),
  keptOpen(
    'Content-Length and chunked',
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`,
  ),
  closed('Content-Length and identity', `${OK}Content-Length: 2\r\nTransfer-Encoding: identity\r\n\r\nOK`),
  closed('no length', `${OK}\r\nOK`),
  closed('a length that is no number', `${OK}Content-Length: two\r\n\r\nOK`),
  closed('a negative length', `${OK}Content-Length: -1\r\n\r\nOK`),
  closed('a body that is longer than its length', `${OK}Content-Length: 2\r\n\r\nOK and more`),
  closed('a body that is shorter than its length', `${OK}Content-Length: 20\r\n\r\nOK`),
  keptOpen('a body with 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nOK', 204),
  keptOpen('chunked with 204', 'HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 204),
];

const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const CHUNKS: readonly RawCase[] = [
  keptOpen('chunks', `${CHUNKED}1\r\nO\r\n1\r\nK\r\n0\r\n\r\n`),
  keptOpen('chunk extensions', `${CHUNKED}2;a=b;c="d"\r\nOK\r\n0\r\n\r\n`),
  keptOpen('a space after the size of a chunk', `${CHUNKED}2 \r\nOK\r\n0\r\n\r\n`),
  keptOpen('a chunk size of leading zeros and capitals', `${CHUNKED}0000A\r\n0123456789\r\n0\r\n\r\n`),
  keptOpen('trailers', `${CHUNKED}2\r\nOK\r\n0\r\nX-Sum: 1\r\nX-Time: 2\r\n\r\n`),
  keptOpen('TE: gzip, chunked', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nOK\r\n0\r\n\r\n`),
  keptOpen(
    'two lines of Transfer-Encoding',
    `${OK}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  closed('a chunk that breaks off', `${CHUNKED}5\r\nOK`),
  closed('chunks without an end', `${CHUNKED}2\r\nOK\r\n`),
  closed('a chunk size that is no number', `${CHUNKED}two\r\nOK\r\n0\r\n\r\n`),
  closed('a chunk that is longer than its size', `${CHUNKED}1\r\nOK\r\n0\r\n\r\n`),
  { name: 'endless chunks', status: 200, send: writeEndlessly(CHUNKED, `1000\r\n${'x'.repeat(4096)}\r\n`) },
];

const HEADS: readonly RawCase[] = [
  keptOpen('a folded header', `${OK}X-Long: one\r\n two\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('a header folded by a tab', `${OK}X-Long: one\r\n\ttwo\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('only line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nOK'),
  keptOpen('mixed line ends', 'HTTP/1.1 200 OK\r\nX-A: 1\nContent-Length: 2\r\n\nOK'),
  closed('no headers', `${OK}\r\n`),
  closed('no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'),
  closed('no reason phrase and a space', 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n'),
  closed('HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nOK'),
  keptOpen('HTTP/1.0 that is kept open', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nOK'),
  keptOpen('letters outside ASCII', `${OK}X-Name: caf\xe9 \xff\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('an empty header', `${OK}X-Empty:\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('special header names', `${OK}__proto__: 1\r\n$set: 2\r\nx.a$b: 3\r\nContent-Length: 0\r\n\r\n`),
  closed('a header without a colon', `${OK}What\r\nContent-Length: 0\r\n\r\n`),
  closed('a header with a NUL', `${OK}X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('a header of 17,000 bytes', `${OK}X-Long: ${'x'.repeat(17_000)}\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('200 cookies', `${OK}${`Set-Cookie: ${'c'.repeat(100)}\r\n`.repeat(200)}Content-Length: 0\r\n\r\n`),
  keptOpen('2,100 headers', `${OK}${'X-A: 1\r\n'.repeat(2_100)}Content-Length: 0\r\n\r\n`),
  closed('300 KB of headers', `${OK}${`X-A: ${'x'.repeat(1_000)}\r\n`.repeat(300)}Content-Length: 0\r\n\r\n`),
  { name: 'endless headers', status: 200, send: writeEndlessly(OK, `X-A: ${'x'.repeat(4096)}\r\n`) },
  keptOpen('Upgrade: h2', `${OK}Upgrade: h2,h2c\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n`),
  { name: 'one byte at a time', status: 200, send: writeByBytes(`${OK}Content-Length: 2\r\n\r\nOK`) },
  ...[201, 202, 203, 205, 206, 207, 226, 299].map((status) =>
    closed(`status ${status}`, `HTTP/1.1 ${status} Fine\r\nContent-Length: 0\r\n\r\n`, status),
  ),
  ...[301, 304, 400, 408, 410, 426, 429, 500, 600, 999].map((status) =>
    closed(`status ${status}`, `HTTP/1.1 ${status} Other\r\nContent-Length: 0\r\n\r\n`, status),
  ),
];

const CONNECTIONS: readonly RawCase[] = [
  keptOpen('Connection: close without a close', `${OK}Connection: close\r\nContent-Length: 2\r\n\r\nOK`),
  keptOpen('Keep-Alive: timeout=0', `${OK}Keep-Alive: timeout=0\r\nContent-Length: 0\r\n\r\n`),
  keptOpen('two responses', EMPTY + EMPTY),
  keptOpen('a 200 and a stray 500', `${EMPTY}HTTP/1.1 500 Late\r\nContent-Length: 0\r\n\r\n`),
  { name: 'an end after the response', status: 200, send: writeAndEnd(EMPTY) },
  { name: 'a reset after the response', status: 200, send: writeAndReset(EMPTY) },
  { name: 'an early response', status: 200, at: 'head', send: write(EMPTY) },
  { name: 'an early response and an end', status: 200, at: 'head', send: writeAndEnd(EMPTY) },
  { name: 'an early response and a reset', status: 200, at: 'head', send: writeAndReset(EMPTY) },
  { name: 'an early 413 and a reset', status: 413, at: 'head', send: writeAndReset('HTTP/1.1 413 Too Large\r\n\r\n') },
  {
    name: 'a huge body',
    status: 200,
    send: writeEndlessly(`${OK}Content-Length: ${100 * MEBIBYTE}\r\n\r\n`, 'x'.repeat(4096)),
  },
];

/** Responses that break off after each of their bytes, by an end or by a reset. */
const BROKEN: readonly RawCase[] = [`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK`].flatMap((text) =>
  Array.from({ length: text.length }, (_, i) => text.slice(0, i + 1)).flatMap((part) => {
    // The status is known from the end of its line on.
    const status = part.includes('\n') ? 200 : 0;
    const name = `after ${part.length} bytes`;
    return [
      { name: `an end ${name}`, status, send: writeAndEnd(part) },
      { name: `a reset ${name}`, status, send: writeAndReset(part) },
    ];
  }),
);

/** Status 0: no status arrives. */
export const RAW_CASES: readonly RawCase[] = [...INTERIM, ...LENGTHS, ...CHUNKS, ...HEADS, ...CONNECTIONS, ...BROKEN];

/** Writes the first text after the head of the request and the second one after all of it. */
function inTwoSteps(first: string, second: string): RawAnswer {
  return { at: 'head', send: (socket) => socket.write(first, 'latin1', () => void socket.write(second, 'latin1')) };
}

/** Writes the head, and the rest for as long as somebody reads. */
function writeEndlessly(head: string, rest: string): (socket: Socket) => void {
  return (socket) => {
    const fill = () => {
      while (!socket.destroyed && socket.write(rest, 'latin1'));
    };
    socket.on('drain', fill).write(head, 'latin1');
    fill();
  };
}
