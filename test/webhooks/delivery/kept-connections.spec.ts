import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { RawReceiver } from '../../support/raw-receiver.js';
import { createTestSender, type TestSender } from './test-sender.js';

const TIMEOUT_MS = 5_000;
const ENVELOPE = { body: Buffer.from('{"id":"evt_1"}'), headers: { 'Content-Type': 'application/json' } };
const OK = 'HTTP/1.1 200 OK\r\n';
const EMPTY = `${OK}Content-Length: 0\r\n\r\n`;
/** As HAProxy writes it on a connection that was idle for too long. */
const IDLE_TIMEOUT = 'HTTP/1.0 408 Request Time-out\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n';

describe('A kept connection', () => {
  let sender: TestSender;
  beforeAll(async () => void (sender = await createTestSender()));

  const post = ({ url }: RawReceiver, isNewConnection = false) =>
    sender.post(url, ENVELOPE, TIMEOUT_MS, isNewConnection);
  const success = { responseStatus: 200 };

  it.each([
    ['a response with a length', `${OK}Content-Length: 2\r\n\r\nOK`],
    ['an interim response', `HTTP/1.1 100 Continue\r\n\r\n${EMPTY}`],
    ['chunks and trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nOK\r\n0\r\nX-Sum: 1\r\n\r\n`],
    ['a long keep-alive time', `${OK}Keep-Alive: timeout=60\r\nContent-Length: 0\r\n\r\n`],
    ['HTTP/1.0 that asks for it', 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n'],
    ['status 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ])('carries the next request after %s', async (_, response) => {
    const receiver = await RawReceiver.start({ send: (socket) => socket.write(response) });
    for (let i = 0; i < 3; i++) expect(await post(receiver)).not.toHaveProperty('failure');
    expect([receiver.connections, receiver.requests.length]).toEqual([1, 3]);
    await receiver.stop();
  });

  it.each([
    ['a stray response', EMPTY + IDLE_TIMEOUT],
    ['a body with 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nOK'],
    ['a length with 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n'],
    ['two different lengths', `${OK}Content-Length: 0\r\nContent-Length: 40\r\n\r\n`],
    ['a length beside chunks', `${OK}Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${OK}X-Long: one\r\n two\r\nContent-Length: 0\r\n\r\n`],
    ['Connection: close', `${OK}Connection: close\r\nContent-Length: 0\r\n\r\n`],
    ['Keep-Alive: timeout=1', `${OK}Keep-Alive: timeout=1\r\nContent-Length: 0\r\n\r\n`],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('is not used after %s', async (_, response) => {
    const receiver = await RawReceiver.start({ send: (socket) => socket.write(response) });
    for (let i = 0; i < 3; i++) expect(await post(receiver)).not.toHaveProperty('failure');
    expect([receiver.connections, receiver.requests.length]).toEqual([3, 3]);
    await receiver.stop();
  });

  it('is not used after an early response', async () => {
    const receiver = await RawReceiver.start({
      at: 'head',
      send: (socket) => socket.write(`${OK}Content-Length: 0\r\n\r\n`),
    });
    const envelope = { ...ENVELOPE, body: Buffer.alloc(8 * 1024 * 1024, 'x') };
    for (let i = 0; i < 2; i++) expect(await sender.post(receiver.url, envelope, TIMEOUT_MS)).toMatchObject(success);
    expect(receiver.connections).toBe(2);
    await receiver.stop();
  });

  it.each([
    ['closes it', (socket: Socket) => socket.end()],
    ['resets it', (socket: Socket) => socket.resetAndDestroy()],
    ['writes a 408 on it', (socket: Socket) => socket.end(IDLE_TIMEOUT)],
  ])('is replaced when the receiver %s while it is idle', async (_, act) => {
    const sockets: Socket[] = [];
    const receiver = await RawReceiver.start({ send: (socket) => void sockets.push(socket.setNoDelay()) });
    const first = post(receiver);
    await receiver.waitForRequests(1);
    sockets[0]!.write(EMPTY);
    expect(await first).toMatchObject(success);
    const closed = once(sockets[0]!, 'close');
    act(sockets[0]!);
    await closed;
    // The sender reads the end in the next turn of the event loop.
    await setImmediate();
    const second = post(receiver);
    await receiver.waitForRequests(2);
    sockets[1]!.write(EMPTY);
    expect([await second, receiver.connections]).toEqual([expect.objectContaining(success), 2]);
    await receiver.stop();
  });

  it('is not used after bytes that arrived while it was idle', async () => {
    const sockets: Socket[] = [];
    const receiver = await RawReceiver.start({ send: (socket) => [sockets.push(socket), socket.write(EMPTY)] });
    const other = await RawReceiver.start({ send: (socket) => socket.write(EMPTY) });
    expect(await post(receiver)).toMatchObject(success);
    sockets[0]!.write(EMPTY);
    // The sender reads the bytes before the response of a later request.
    expect(await post(other)).toMatchObject(success);
    expect([await post(receiver), receiver.connections]).toEqual([expect.objectContaining(success), 2]);
    await receiver.stop();
    await other.stop();
  });

  it('gives its request to a new connection when a 408 for the idle time crosses it', async () => {
    const receiver = await RawReceiver.start({
      send: (socket, nth) => (nth === 2 ? socket.end(IDLE_TIMEOUT) : socket.write(EMPTY)),
    });
    for (let i = 0; i < 2; i++) expect(await post(receiver)).toMatchObject(success);
    expect([receiver.connections, receiver.requests.length]).toEqual([2, 3]);
    await receiver.stop();
  });

  it('leaves a 408 of a new connection as the answer', async () => {
    const receiver = await RawReceiver.start({ send: (socket) => socket.end(IDLE_TIMEOUT) });
    expect([await post(receiver), receiver.connections]).toEqual([expect.objectContaining({ responseStatus: 408 }), 1]);
    await receiver.stop();
  });

  it('leaves a 408 as the answer when the receiver keeps the connection', async () => {
    const refusal = 'HTTP/1.1 408 Too slow\r\nContent-Length: 0\r\n\r\n';
    const receiver = await RawReceiver.start({ send: (socket, nth) => socket.write(nth === 2 ? refusal : EMPTY) });
    expect([await post(receiver), await post(receiver)]).toMatchObject([success, { responseStatus: 408 }]);
    expect(receiver.connections).toBe(1);
    await receiver.stop();
  });

  it('fails its request when the receiver closes it as the request arrives', async () => {
    const receiver = await RawReceiver.start({
      send: (socket, nth) => (nth === 2 ? socket.end() : socket.write(EMPTY)),
    });
    expect([await post(receiver), await post(receiver)]).toMatchObject([success, { failure: 'connection_reset' }]);
    await receiver.stop();
  });

  it('is not used for an attempt that nothing repeats', async () => {
    const receiver = await RawReceiver.start({
      send: (socket, nth) => (nth === 2 ? socket.end() : socket.write(EMPTY)),
    });
    expect([await post(receiver), await post(receiver, true)]).toMatchObject([success, success]);
    expect(receiver.connections).toBe(2);
    await receiver.stop();
  });
});
