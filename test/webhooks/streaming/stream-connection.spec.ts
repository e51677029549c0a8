import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { StreamConnection } from '../../../src/webhooks/streaming/stream-connection.js';

const CHUNK = 'x'.repeat(64 * 1024);
/** The limit of the service, and what the buffers of two sockets hold at most. */
const LARGEST_UNREAD_BYTES = 32 * 1024 * 1024;

describe('The connection of an event stream', () => {
  let server: Server;
  let socket: Socket;
  let connection: StreamConnection;
  let now: number;
  let received: string;
  beforeEach(async () => {
    now = 0;
    received = '';
    const opened = new Promise<StreamConnection>((resolve) => {
      server = createServer((_, response) => resolve(new StreamConnection(response, () => now)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    connection = await opened;
    connection.open({ 'content-type': 'text/event-stream' });
  });
  afterEach(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  const receive = async (text: string) => {
    socket.on('data', (chunk: Buffer) => (received += chunk.toString())).resume();
    while (!received.includes(text)) await once(socket, 'data');
  };

  it('is cut when the client leaves 1 MiB unread', async () => {
    socket.pause();
    let written = 0;
    while (!connection.signal.aborted && written <= LARGEST_UNREAD_BYTES) {
      connection.write(CHUNK);
      written += CHUNK.length;
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(connection.signal.aborted).toBe(true);
    expect(written).toBeGreaterThan(1024 * 1024);
  });

  it('waits for a slow client that catches up', async () => {
    socket.pause();
    let written = 0;
    const writing = (async () => {
      for (; written < 64; written++) await connection.writeAndDrain(CHUNK);
      await connection.writeAndDrain('the end');
    })();
    await receive('the end');
    await writing;

    expect(connection.signal.aborted).toBe(false);
  });

  it('sends a comment after 15 s without an event, and not before', async () => {
    now = 14_999;
    connection.keepAlive(15_000);
    connection.write('first\n\n');
    now = 29_999;
    connection.keepAlive(15_000);
    connection.keepAlive(15_000);
    connection.write('second\n\n');
    await receive('second');

    expect(received.replaceAll(/^[\s\S]*retry: 2000|\r\n[0-9a-f]+\r\n|\s/g, '')).toBe('first:second');
  });
});
