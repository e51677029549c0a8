import { connect, type Socket } from 'node:net';

const TIMEOUT_MS = 60_000;
const EVENT_STREAM = /^content-type: text\/event-stream/im;

export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes, sends `then` after the first response bytes, and reads until the service closes the connection. */
export function sendRaw(url: string, bytes: string | Buffer, then?: string): Promise<RawReply> {
  const socket = openSocket(url);
  socket.write(bytes);
  if (then !== undefined) socket.once('data', () => socket.write(then));
  return readReply(socket);
}

/** Sends bytes and ends the stream. */
export function sendRawAndEnd(url: string, bytes: string | Buffer): Promise<RawReply> {
  const socket = openSocket(url);
  socket.end(bytes);
  return readReply(socket);
}

export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname);
}

/**
 * Reads until the service closes the connection, so send `Connection: close`. Everything after the first head is the
 * body. A connection that is closed without a response has the status 0. An event stream does not end by itself, so the
 * client closes it after its first bytes.
 */
export function readReply(socket: Socket): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('Neither answered nor closed')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (EVENT_STREAM.test(chunk.toString('latin1'))) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(parseReply(Buffer.concat(chunks).toString('utf8'))));
  });
}

function parseReply(text: string): RawReply {
  const [head = '', ...bodies] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/:\s*/, 2) as [string, string]);
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: bodies.join('\r\n\r\n'),
  };
}
