import { once } from 'node:events';
import { openSocket } from '../../http/support/raw-http.js';
import { type Service, startService } from '../../support/service.js';

const [PATH, BODY_BYTES] = ['/v1/gateways/stripe/events', 20];
const STRIPE = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_test' };
const MAC = 'a'.repeat(64);
const [BAD_REQUEST, NOT_FOUND, CONTINUE] = ['400 Bad Request', '404 Not Found', '100 Continue'];

/** Sends the head of a request that announces a body, and never the body. Returns the status of the response. */
async function sendHead(service: Service, signatures: readonly string[]): Promise<string> {
  const socket = openSocket(service.url);
  const lines = signatures.map((signature) => `Stripe-Signature: ${signature}\r\n`);
  socket.write(
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${BODY_BYTES}\r\n${lines.join('')}\r\n`,
  );
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return bytes.toString().split('\r\n', 1)[0]!.replace('HTTP/1.1 ', '');
}

function nowPlus(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}

describe('An event of Stripe', () => {
  let service: Service;
  beforeAll(async () => (service = await startService(STRIPE)));
  afterAll(() => service.stop());

  it.each([
    ['no signature', []],
    ['an empty one', ['']],
    ['no time', [`v1=${MAC}`]],
    ['a time that is no number', [`t=now,v1=${MAC}`]],
    ['no signature of the current scheme', [`t=${nowPlus(0)},v0=${MAC}`]],
    ['a signature that is too short', [`t=${nowPlus(0)},v1=${MAC.slice(1)}`]],
    ['a signature that is too long', [`t=${nowPlus(0)},v1=${MAC}a`]],
    ['a time more than 5 minutes ago', [`t=${nowPlus(-302)},v1=${MAC}`]],
  ])('is rejected before its body is sent when it has %s', async (_, signatures) =>
    expect(await sendHead(service, signatures)).toBe(BAD_REQUEST),
  );

  it.each([
    ['its only signature', [`t=${nowPlus(0)},v1=${MAC}`]],
    ['signatures of two secrets and of a test', [`t=${nowPlus(-200)},v1=${MAC},v1=${MAC},v0=${MAC}`]],
    ['the time at the end', [`v1=${MAC},t=${nowPlus(0)}`]],
  ])('may be sent with %s', async (_, signatures) => expect(await sendHead(service, signatures)).toBe(CONTINUE));
});

it('is not found before its body is sent where Stripe sends no events', async () => {
  const service = await startService({ STRIPE_SECRET_KEY: 'sk_live_1' });

  expect(await sendHead(service, [`t=${nowPlus(0)},v1=${MAC}`])).toBe(NOT_FOUND);
  await service.stop();
});

it('counts rejected events of Stripe against the rate limit of their address', async () => {
  const service = await startService({ ...STRIPE, RATE_LIMIT: '1', RATE_LIMIT_BURST: '2' });

  const statuses = await Promise.all(Array.from({ length: 10 }, () => sendHead(service, [])));
  expect([...new Set(statuses)].sort()).toEqual([BAD_REQUEST, '429 Too Many Requests']);
  await service.stop();
});
