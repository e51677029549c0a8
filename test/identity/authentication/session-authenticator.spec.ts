import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createTempFolder, type Service, startService } from '../../support/service.js';
import { KeyServer } from './key-server.js';

const PROVIDER = {
  SESSION_ISSUER: 'https://login.example.com/',
  SESSION_AUDIENCE: 'https://api.example.com',
  SESSION_AUTHORIZED_PARTIES: 'web',
};
const now = Math.floor(Date.now() / 1000);
const CLAIMS: JWTPayload = {
  sub: 'ann',
  azp: 'web',
  iss: PROVIDER.SESSION_ISSUER,
  aud: PROVIDER.SESSION_AUDIENCE,
  iat: now,
  exp: now + 600,
};

const UNUSABLE_KEYS: readonly JWK[] = [
  { kty: 'RSA', kid: 'bn' },
  { kty: 'EC', crv: 'P-256', kid: 'be', x: 'AA', y: 'AA', alg: 'ES256' },
  { kty: 'OKP', crv: 'Ed25519', kid: 'bo', x: 'AA' },
];
const ADDRESSES: readonly [what: string, claimed: string, expected: string | null][] = [
  ['blank', ' ', null],
  ['half of a surrogate', 'dan\ud800@example.com', null],
  ['with a NUL', 'dan\u0000@example.com', null],
  ['with a zero-width space', 'dan\u200b@example.com', null],
  ['with a line break', 'dan@\nexample.com', null],
  ['254 characters long', `${'d'.repeat(242)}@example.com`, `${'d'.repeat(242)}@example.com`],
  ['255 characters long', `${'d'.repeat(243)}@example.com`, null],
  ['without an @', 'dan.example.com', null],
  ['of nobody', '@example.com', null],
  ['of nowhere', 'dan@', null],
];

const keyServer = new KeyServer();
const tokens = new Map<string, string>();
let service: Service;

/**
 * The tokens are created before the service starts: it fetches the keys for the first token, but not for each unknown
 * key id.
 */
const signed = async (name: string, claims: object = {}, alg = 'EdDSA') =>
  tokens.set(name, await keyServer.publish(name, { ...CLAIMS, ...claims }, alg));

beforeAll(async () => {
  for (const alg of ['RS256', 'ES256', 'EdDSA', 'PS256', 'RS512', 'ES384']) await signed(alg, {}, alg);
  await signed('number', { sub: 5 });
  await signed('list', { sub: ['ann'] });
  await signed('listed', { sub: 'listed' });
  await signed('claimed', { sub: 'claimed', platform_role: 'reviewer' });
  await signed('otherwise', { sub: 'otherwise', platform_role: 'owner' });
  await signed('verified', { sub: 'bob', email: ' Bob@example.com ', email_verified: true });
  await signed('nearly', { sub: 'cleo', email: 'cleo@example.com', email_verified: 'true' });
  for (const [what, email] of ADDRESSES) await signed(what, { sub: what, email, email_verified: true });
  await signed('parties', { azp: ['web'] });
  await signed('stranger', { azp: 'elsewhere' });
  await signed('early', { iat: now + 3_600, exp: now + 7_200 });
  await signed('lasting', { exp: now + 86_400 * 365 });
  await signed('nameless', { azp: undefined });
  keyServer.published.keys.push(...UNUSABLE_KEYS);
  service = await startService({
    ...PROVIDER,
    SESSION_JWKS: await keyServer.start(),
    PLATFORM_REVIEWERS: 'somebody,listed',
    SESSION_MAX_SECONDS: '86400',
  });
});
afterAll(async () => {
  await service.stop();
  keyServer.stop();
});

const me = (name: string, at = service) => at.createApi(tokens.get(name)).get('/v1/auth/me');

async function codeOf(token: string, at = service): Promise<unknown> {
  const { status, body } = await at.createApi(token).get('/v1/auth/me');
  return status === 200 ? 'ok' : body.code;
}

async function hideAmongOthers(jwks: string, work: (service: Service) => Promise<void>): Promise<void> {
  const another = await startService({ ...PROVIDER, SESSION_JWKS: jwks });
  await work(another).finally(() => another.stop());
}

describe('A session token of an identity provider', () => {
  it.each([
    ['RS256', 'ok'],
    ['ES256', 'ok'],
    ['EdDSA', 'ok'],
    ['PS256', 'invalid_credentials'],
    ['RS512', 'invalid_credentials'],
    ['ES384', 'invalid_credentials'],
  ])('with the algorithm %s gets %s', async (alg, code) => expect(await codeOf(tokens.get(alg)!)).toBe(code));

  it('is rejected with an HMAC by a public key, and without a signature', async () => {
    const secret = Buffer.from(JSON.stringify(keyServer.published.keys[0]));
    const hmac = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'RS256' }).sign(secret);

    expect(await codeOf(hmac)).toBe('invalid_credentials');
    expect(await codeOf(new UnsecuredJWT(CLAIMS).encode())).toBe('invalid_credentials');
  });

  it('is rejected when it was issued in the future', async () =>
    expect(await codeOf(tokens.get('early')!)).toBe('invalid_credentials'));

  it('is rejected when its lifetime exceeds the limit', async () =>
    expect(await codeOf(tokens.get('lasting')!)).toBe('invalid_credentials'));

  it.each(['number', 'list'])('is rejected when its subject is a %s', async (name) => {
    expect(await codeOf(tokens.get(name)!)).toBe('invalid_credentials');
  });

  it.each([
    ['verified', 'Bob@example.com'],
    ['nearly', null],
  ])('with an address that is %s yields %s', async (name, email) =>
    expect((await me(name)).body.data.user.email).toBe(email),
  );

  it.each(ADDRESSES)('yields only a valid address from %s', async (what, _, expected) =>
    expect((await me(what)).body.data.user.email).toBe(expected),
  );

  it.each(['parties', 'stranger', 'nameless'])('is rejected for the unauthorized party %s', async (name) => {
    expect(await codeOf(tokens.get(name)!)).toBe('invalid_credentials');
  });

  it.each([
    ['bn', 'RS256'],
    ['be', 'ES256'],
    ['bo', 'EdDSA'],
  ])('is invalid with the unusable key %s', async (kid, alg) => {
    expect(await codeOf(await new KeyServer().publish(kid, CLAIMS, alg))).toBe('invalid_credentials');
  });

  it('is verified by the keys of a file', async () => {
    const folder = await createTempFolder();
    const file = join(folder, 'jwks.json');
    await writeFile(file, JSON.stringify(keyServer.published));

    await hideAmongOthers(file, async (at) => expect((await me('ES256', at)).status).toBe(200));
    await rm(folder, { recursive: true });
  });

  it('gets a 503 with a file without a usable key', async () => {
    const folder = await createTempFolder();
    const file = join(folder, 'jwks.json');
    await writeFile(file, JSON.stringify({ keys: UNUSABLE_KEYS }));

    await hideAmongOthers(file, async (at) =>
      expect(await codeOf(tokens.get('ES256')!, at)).toBe('service_unavailable'),
    );
    await rm(folder, { recursive: true });
  });

  it('gets a 503 while the key server is down, while an API key is accepted', async () => {
    await hideAmongOthers('http://127.0.0.1:1/', async (at) => {
      const { status, headers, body } = await me('ES256', at);
      const asKey = await at.createApi(await at.createKey(await at.createBusiness())).get('/v1/auth/me');

      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
      expect(asKey.status).toBe(200);
    });
  });

  it('is verified without the key server when its key was fetched before, and a forged token is rejected', async () => {
    const crashable = new KeyServer();
    const token = await crashable.publish('fetched', CLAIMS);

    await hideAmongOthers(await crashable.start(), async (at) => {
      expect(await codeOf(token, at)).toBe('ok');
      crashable.stop();
      expect(await codeOf(token, at)).toBe('ok');
      expect(await codeOf(await crashable.publish('forged', CLAIMS), at)).toBe('invalid_credentials');
    });
  });
});

describe('A reviewer', () => {
  it.each([
    ['listed', 404],
    ['claimed', 404],
    ['otherwise', 403],
  ])('gets, as %s, the status %d', async (name, status) => {
    expect((await service.createApi(tokens.get(name)).post('/v1/commerce/products/prod_unknown/approve')).status).toBe(
      status,
    );
  });
});
