import { DnsServer } from '../../support/dns-server.js';
import { type RawAnswer, RawReceiver } from '../../support/raw-receiver.js';
import { Receiver } from '../../support/receiver.js';
import {
  drip,
  hang,
  redirect,
  reset,
  respondWith,
  sendGzipBomb,
  sendLargeBody,
} from '../../support/receiver-responses.js';
import { createTestSender } from './test-sender.js';

/** Far longer than the configured time for a connection. */
const CONNECT_TIMEOUT_MS = 10_000;
const ENVELOPE = { body: Buffer.from('{"id":"evt_1"}'), headers: { 'Content-Type': 'application/json' } };

describe('The sender', () => {
  const rawReceivers: RawReceiver[] = [];
  let receiver: Receiver;
  beforeAll(async () => void (receiver = await Receiver.start()));
  afterAll(() => receiver.stop());
  afterEach(() => Promise.all(rawReceivers.splice(0).map((raw) => raw.stop())));

  /** Starts a receiver that writes plain bytes and returns its URL. */
  async function listen(answer: RawAnswer): Promise<string> {
    const raw = await RawReceiver.start(answer);
    rawReceivers.push(raw);
    return raw.url;
  }

  async function send(path: string, timeoutMs = 5_000) {
    return (await createTestSender()).post(receiver.url(path), ENVELOPE, timeoutMs);
  }

  it('posts exactly the given bytes', async () => {
    expect(await send('/plain')).toMatchObject({
      responseStatus: 200,
      durationMs: expect.any(Number),
      retryAfterSeconds: null,
    });
    expect(receiver.requestsFor('/plain')).toMatchObject([{ method: 'POST', body: '{"id":"evt_1"}' }]);
  });

  it('follows no redirects', async () => {
    receiver.setResponses('/moved', redirect(receiver.url('/elsewhere')));
    expect(await send('/moved')).toMatchObject({ responseStatus: 302 });
    expect(receiver.requestsFor('/elsewhere')).toEqual([]);
  });

  it('returns the response that it received', async () => {
    receiver.setResponses('/said', (_, response) => response.writeHead(200, { 'x-twice': ['a', 'b'] }).end('Thanks'));
    expect(await send('/said')).toMatchObject({ received: { headers: { 'x-twice': 'a, b' }, body: 'Thanks' } });
  });

  it('reads only the beginning of a huge response', async () => {
    receiver.setResponses('/huge', sendLargeBody());
    const { received, ...answer } = await send('/huge');
    expect([answer, received?.body.length]).toEqual([expect.objectContaining({ responseStatus: 200 }), 16 * 1024]);
  });

  it.each([
    ['ends before its length', 'Content-Length: 20\r\n\r\nOK'],
    ['ends within a chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nOK'],
    ['has 90 KB of headers', `X-Long: ${'x'.repeat(90_000)}\r\nContent-Length: 2\r\n\r\nOK`],
  ])('takes a 200 as the answer although the response %s', async (_, rest) => {
    const url = await listen({ send: (socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`) });
    expect(await (await createTestSender()).post(url, ENVELOPE, 1_000)).toMatchObject({
      responseStatus: 200,
    });
  });

  it('reads a body until the receiver closes when its last coding is unknown', async () => {
    const response = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, x-chunked\r\n\r\n2\r\nOK\r\n';
    const url = await listen({ send: (socket) => socket.end(response) });
    expect(await (await createTestSender()).post(url, ENVELOPE, 1_000)).toMatchObject({
      responseStatus: 200,
      received: { body: '2\r\nOK\r\n' },
    });
  });

  it('decompresses no response', async () => {
    receiver.setResponses('/bomb', sendGzipBomb(20 * 1024 * 1024));
    expect(await send('/bomb')).toMatchObject({ responseStatus: 200 });
  });

  it.each([
    ['120', 120],
    ['99999999999', 99_999_999_999],
    ['Sun, 01 Feb 2015 09:00:00 GMT', 0],
    ['soon', null],
  ])('parses the Retry-After value %s', async (value, seconds) => {
    receiver.setResponses('/busy', respondWith(503, { 'retry-after': value }));
    expect(await send('/busy')).toMatchObject({ responseStatus: 503, retryAfterSeconds: seconds });
  });

  it.each([
    ['hangs', hang()],
    ['drips', drip(20)],
  ])('ends before its deadline when the receiver %s', async (name, answer) => {
    receiver.setResponses(`/${name}`, answer);
    expect(await send(`/${name}`, 150)).toEqual({ failure: 'timeout', durationMs: expect.any(Number) });
  });

  it('reports a connection that is reset', async () => {
    receiver.setResponses('/reset', reset());
    expect(await send('/reset')).toMatchObject({ failure: 'connection_reset', durationMs: expect.any(Number) });
  });

  it.each([
    ['is not HTTP', 'SMTP ready', 'invalid_answer'],
    ['has the status 000', 'HTTP/1.1 000 Nothing', 'invalid_answer'],
    ['has the status 099', 'HTTP/1.1 099 Nothing', 'invalid_answer'],
    ['has the status 2000', 'HTTP/1.1 2000 OK', 'invalid_answer'],
  ])('reports a response that %s', async (_, line, failure) => {
    const url = await listen({ at: 'connection', send: (socket) => socket.end(`${line}\r\n\r\n`) });
    expect(await (await createTestSender()).post(url, ENVELOPE, 1_000)).toMatchObject({
      failure,
    });
  });

  it.each([
    ['a body of HTTP/0.9', '<p>Thanks!', 'invalid_answer'],
    ['the first letters of a word', 'htm', 'invalid_answer'],
    ['the first bytes of a status line', '\r\nHTTP/1.1 20', 'connection_reset'],
    ['the first letters of the protocol', 'htt', 'connection_reset'],
    ['nothing', '', 'connection_reset'],
  ])('reports what a receiver did that sent %s without the end of a line', async (_, text, failure) => {
    const url = await listen({ at: 'connection', send: (socket) => socket.end(text) });
    expect(await (await createTestSender()).post(url, ENVELOPE, 1_000)).toMatchObject({ failure });
  });

  it('ends soon when a TLS handshake hangs', async () => {
    const url = await listen({ send: () => undefined });
    const impatient = await createTestSender({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_TIMEOUT_MS: '150' });
    const startedAt = performance.now();
    expect(await impatient.post(url.replace('http:', 'https:'), ENVELOPE, 150)).toHaveProperty('failure');
    expect(performance.now() - startedAt).toBeLessThan(CONNECT_TIMEOUT_MS);
  });

  it('reports a TLS failure', async () => {
    const url = receiver.url('/').replace('http:', 'https:');
    expect(await (await createTestSender()).post(url, ENVELOPE, 1_000)).toMatchObject({
      failure: 'tls_failure',
      durationMs: null,
    });
  });

  it('reports a port on which no server listens', async () => {
    expect(await (await createTestSender()).post('http://127.0.0.1:1/', ENVELOPE, 1_000)).toEqual({
      failure: 'connection_refused',
      durationMs: null,
      errorCode: 'ECONNREFUSED',
    });
  });

  it.each([
    ['does not exist', 'missing.example.com', 5_000, 'ENOTFOUND'],
    ['has a server that never answers', 'silent.example.com', 150, 'ETIMEOUT'],
  ])('reports a name that %s', async (_, host, timeoutMs, errorCode) => {
    const dnsServer = await DnsServer.start({ 'silent.example.com': null });
    const answer = await (
      await createTestSender({ WEBHOOK_DNS_SERVERS: dnsServer.address, WEBHOOK_TIMEOUT_MS: String(timeoutMs) })
    ).post(`http://${host}/`, ENVELOPE, timeoutMs);
    expect(answer).toEqual({ failure: 'dns_failure', durationMs: null, errorCode });
    await dnsServer.stop();
  });

  it.each(['http://127.0.0.1', 'http://localhost', 'http://[::ffff:127.0.0.1]', 'http://2130706433'])(
    'opens no connection to %s',
    async (host) => {
      const { port } = new URL(receiver.url());
      const answer = await (await createTestSender({})).post(`${host}:${port}/never`, ENVELOPE, 1_000);
      expect(answer).toEqual({ failure: 'blocked_address', durationMs: null });
      expect(receiver.requestsFor('/never')).toEqual([]);
    },
  );
});
