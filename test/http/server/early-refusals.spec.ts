import { once } from 'node:events';
import { SignJWT, UnsecuredJWT } from 'jose';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { openSocket } from '../support/raw-http.js';

const BODY_BYTES = 20;
const NOW_SECONDS = Math.floor(Date.now() / 1_000);
const CLAIMS = { sub: 'ann', iss: 'development', aud: 'event-sourced-api', iat: NOW_SECONDS, exp: NOW_SECONDS + 600 };

let service: Service;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService();
  business = await service.createBusiness();
});
afterAll(() => service.stop());

/** Sends the head of a request that announces a body, and never the body. Returns the first line of the response. */
async function sendHead(path: string, token: string, { url = service.url, method = 'POST', header = '' } = {}) {
  const socket = openSocket(url);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\nContent-Length: ${BODY_BYTES}\r\n${header}\r\n`,
  );
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return bytes.toString('utf8').split('\r\n', 1)[0]!;
}

const sign = (claims: object, header: object = {}) =>
  new SignJWT({ ...CLAIMS, ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(Buffer.alloc(32))
    .then((token) => withAlgorithm(token, 'EdDSA'));

/** Changes the algorithm that a token names. Its signature stays that of another one. */
function withAlgorithm(token: string, alg: string): string {
  const [header = '', ...rest] = token.split('.');
  const changed = { ...(JSON.parse(Buffer.from(header, 'base64url').toString()) as object), alg };
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.');
}

const TOKENS: readonly [what: string, createToken: () => string | Promise<string>][] = [
  ['no known form', () => 'garbage'],
  ['three parts that are no JSON', () => 'a.b.c'],
  ['a key without its checksum', () => `sk_live_${'a'.repeat(49)}`],
  ['a key that is too short', () => 'rk_test_abc'],
  ['a cart token without the id of a cart', () => 'ct_test_abc'],
  ['a cart token that is too short', () => `ct_${'0'.repeat(26)}_${'A'.repeat(42)}`],
  ['a cart token whose last character has unused bits', () => `ct_${'0'.repeat(26)}_${'A'.repeat(42)}B`],
  ['a session token without an algorithm', () => new UnsecuredJWT(CLAIMS).encode()],
  ['a session token without a signature', async () => (await sign({})).replace(/[^.]+$/, '')],
  ['a session token of a shared secret', async () => withAlgorithm(await sign({}), 'HS256')],
  ['a token for a logout', () => sign({}, { typ: 'logout+jwt' })],
  ['a session token that expired', () => sign({ exp: NOW_SECONDS - 60 })],
  ['a session token of another issuer', () => sign({ iss: 'elsewhere' })],
  ['a session token for another audience', () => sign({ aud: 'somebody' })],
  ['a session token without a subject', () => sign({ sub: '' })],
  ['a session token without an expiry', () => sign({ exp: undefined })],
];

describe('A credential that cannot be valid', () => {
  it.each(TOKENS)('gets a 401 before the body is sent, with %s', async (_, createToken) => {
    const token = `Bearer ${await createToken()}`;

    expect(await sendHead('/v1/commerce/products', token)).toBe('HTTP/1.1 401 Unauthorized');
    const { body, status } = await service.createApi().get('/v1/auth/me', { authorization: token });
    expect([status, ['invalid_credentials', 'token_expired']]).toEqual([401, expect.arrayContaining([body.code])]);
  });

  it.each([
    ['PATCH', '/v1/commerce/carts/cart_1'],
    ['PUT', '/v1/commerce/test-clock'],
    ['POST', '/v1/community/communities'],
    ['DELETE', '/v1/webhooks/endpoints/whs_1'],
  ])('gets a 401 from %s %s', async (method, path) =>
    expect(await sendHead(path, 'Bearer a.b.c', { method })).toBe('HTTP/1.1 401 Unauthorized'),
  );

  it('is not asked to continue', async () => {
    const header = 'Expect: 100-continue\r\n';
    const key = await service.createKey(business);

    expect(await sendHead('/v1/businesses', 'Bearer a.b.c', { header })).toBe('HTTP/1.1 401 Unauthorized');
    expect(await sendHead('/v1/businesses', `Bearer ${key}`, { header })).toBe('HTTP/1.1 100 Continue');
  });

  it('gets a 401 from the port of the operators', async () => {
    const path = '/ops/projections/products/rebuild';

    expect(await sendHead(path, 'Bearer x', { url: service.running.opsUrl })).toBe('HTTP/1.1 401 Unauthorized');
  });
});
