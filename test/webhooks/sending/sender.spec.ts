import { createServer, type AddressInfo } from 'node:net';
import { SystemClock } from '../../../src/kernel/clock.js';
import { Addresses } from '../../../src/webhooks/sending/addresses.js';
import { Sender } from '../../../src/webhooks/sending/sender.js';
import { drip, gzipBomb, hang, huge, redirect, reset, status } from '../../support/answers.js';
import { Receiver } from '../../support/receiver.js';
import { configOf } from '../config.js';

const ENVELOPE = { body: Buffer.from('{"id":"evt_1"}'), headers: { 'Content-Type': 'application/json' } };

async function sender(environment: Record<string, string> = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }): Promise<Sender> {
  const config = await configOf({ WEBHOOK_ALLOW_HTTP: 'true', ...environment });
  return new Sender(new Addresses(config), new SystemClock());
}

describe('A send', () => {
  let receiver: Receiver;
  beforeAll(async () => void (receiver = await Receiver.start()));
  afterAll(() => receiver.stop());

  async function sent(path: string, timeoutMs = 5_000) {
    return (await sender()).post(receiver.url(path), ENVELOPE, timeoutMs);
  }

  it('posts the very bytes', async () => {
    expect(await sent('/plain')).toEqual({ responseStatus: 200, durationMs: expect.any(Number), retryAfterSeconds: null });
    expect(receiver.at('/plain')).toMatchObject([{ method: 'POST', body: '{"id":"evt_1"}' }]);
  });

  it('follows no redirect', async () => {
    receiver.answers('/moved', redirect(receiver.url('/elsewhere')));
    expect(await sent('/moved')).toMatchObject({ responseStatus: 302 });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('keeps of a huge answer what it needs', async () => {
    receiver.answers('/huge', huge());
    expect(await sent('/huge')).toMatchObject({ responseStatus: 200 });
  });

  it('inflates nothing', async () => {
    receiver.answers('/bomb', gzipBomb(20 * 1024 * 1024));
    expect(await sent('/bomb')).toMatchObject({ responseStatus: 200 });
  });

  it.each([
    ['120', 120],
    ['Sun, 01 Feb 2015 09:00:00 GMT', 0],
    ['soon', null],
  ])('reads Retry-After: %s', async (value, seconds) => {
    receiver.answers('/busy', status(503, { 'retry-after': value }));
    expect(await sent('/busy')).toMatchObject({ responseStatus: 503, retryAfterSeconds: seconds });
  });

  it.each([
    ['hangs', hang()],
    ['drips', drip(20)],
  ])('ends in time when the receiver %s', async (name, answer) => {
    receiver.answers(`/${name}`, answer);
    expect(await sent(`/${name}`, 150)).toEqual({ failure: 'timeout', durationMs: expect.any(Number) });
  });

  it('says so when the connection is reset', async () => {
    receiver.answers('/reset', reset());
    expect(await sent('/reset')).toEqual({ failure: 'connection_reset', durationMs: expect.any(Number) });
  });

  it('says so when the answer is not HTTP', async () => {
    const server = createServer((socket) => socket.end('SMTP ready\r\n\r\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await (await sender()).post(`http://127.0.0.1:${port}`, ENVELOPE, 1_000)).toMatchObject({ failure: 'invalid_answer' });
    server.close();
  });

  it('says so when TLS fails', async () => {
    const url = receiver.url('/').replace('http:', 'https:');
    expect(await (await sender()).post(url, ENVELOPE, 1_000)).toEqual({ failure: 'tls_failure', durationMs: null });
  });

  it('says so when nobody listens', async () => {
    expect(await (await sender()).post('http://127.0.0.1:1/', ENVELOPE, 1_000)).toEqual({
      failure: 'connection_refused',
      durationMs: null,
    });
  });

  it('says so when the name does not resolve', async () => {
    const answer = await (await sender()).post('http://no-such-host.invalid/', ENVELOPE, 5_000);
    expect(answer).toEqual({ failure: 'dns_failure', durationMs: null });
  });

  it.each(['http://127.0.0.1', 'http://localhost', 'http://[::ffff:127.0.0.1]', 'http://2130706433'])('never dials %s', async (host) => {
    const { port } = new URL(receiver.url());
    const answer = await (await sender({})).post(`${host}:${port}/never`, ENVELOPE, 1_000);
    expect(answer).toEqual({ failure: 'blocked_address', durationMs: null });
    expect(receiver.at('/never')).toEqual([]);
  });
});
