import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends bytes as they are, `then` more once something has been answered, and reads until the other side closes: ask for
 * `Connection: close`, or be refused. What follows the first answer's head is its body.
 */
export function onTheWire(url: string, bytes: string | Buffer, then?: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    if (then !== undefined) socket.once('data', () => socket.write(then));
    socket.on('end', () => resolve(parsed(Buffer.concat(chunks).toString('utf8'))));
    socket.on('error', reject);
  });
}

function parsed(text: string): RawReply {
  const [head = '', ...bodies] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => line.split(/:\s*/, 2) as [string, string]);
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(headers.map(([name, value]) => [name.toLowerCase(), value])),
    body: bodies.join('\r\n\r\n'),
  };
}
