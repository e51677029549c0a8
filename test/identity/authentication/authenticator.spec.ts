import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JWTPayload, SignJWT } from 'jose';
import { importJWK } from 'jose';
import { readOrGenerateSessionKey } from '../../../src/config/generated-secrets.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';

let service: Service;
let business: TestBusiness;
beforeAll(async () => {
  service = await startService({ PLATFORM_REVIEWERS: 'listed', SESSION_AUTHORIZED_PARTIES: 'web' });
  business = await service.createBusiness();
});
afterAll(() => service.stop());

async function codeOf(credential: string): Promise<unknown> {
  const reply = await service.createApi(credential).get('/v1/auth/me');
  return reply.status === 200 ? 'ok' : reply.body.code;
}

describe('An API key', () => {
  it('acts for its business, as its user', async () => {
    const reply = await service
      .createApi(await service.createKey(business, { mode: 'test', access: 'read_only' }))
      .get('/v1/auth/me');

    expect(reply.body.data).toEqual({
      object: 'caller',
      actor: { type: 'api_key', id: expect.stringMatching(/^key_/) as string },
      user: { id: business.ownerId, email: null },
      business: { object: 'business', id: business.id },
      mode: 'test',
      access: 'read_only',
    });
  });

  it('is invalid when it was mistyped or never created', async () => {
    const key = await service.createKey(business);

    expect(await codeOf(`${key}x`)).toBe('invalid_credentials');
    expect(await codeOf('sk_live_x')).toBe('invalid_credentials');
  });

  it('gets token_expired when it has expired', async () => {
    expect(await codeOf(await service.createKey(business, { expiresAt: '2026-01-01T00:00:00.000Z' }))).toBe(
      'token_expired',
    );
    expect(await codeOf(await service.createKey(business, { expiresAt: '2126-01-01T00:00:00.000Z' }))).toBe('ok');
  });
});

describe('The Authorization header', () => {
  it.each(['', 'Basic YTpi', 'Bearer', 'Bearer a b', 'Bearer ct_nothing', 'Bearer é'])(
    'cannot be %j',
    async (authorization) => {
      const { status, body } = await service.createApi().get('/v1/auth/me', { authorization });

      expect([status, body.code]).toEqual([401, 'invalid_credentials']);
    },
  );
});

describe('A session token', () => {
  const now = Math.floor(Date.now() / 1000);
  const claims: JWTPayload = {
    sub: 'ann',
    iss: 'development',
    aud: 'event-sourced-api',
    iat: now,
    exp: now + 60,
    azp: 'web',
    email: 'Ann@example.com',
    email_verified: true,
  };

  async function signToken(
    changes: JWTPayload = {},
    header: { alg?: string; kid?: string; typ?: string } = {},
    foreign?: KeyObject,
  ): Promise<string> {
    const own = readOrGenerateSessionKey(service.dataDir);
    const payload = Object.fromEntries(
      Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== undefined),
    );
    const key = foreign ?? (await importJWK(own));
    return new SignJWT(payload).setProtectedHeader({ alg: 'EdDSA', kid: own.kid, ...header }).sign(key);
  }

  it('authenticates its user, with a verified address only', async () => {
    const { body } = await service.createApi(await signToken()).get('/v1/auth/me');

    expect(body.data).toMatchObject({
      actor: { type: 'user', id: body.data.user.id as string },
      business: null,
      mode: 'live',
      access: 'full',
    });
    expect(body.data.user).toEqual({ id: expect.stringMatching(/^usr_/) as string, email: 'Ann@example.com' });
    const unverified = await service
      .createApi(await signToken({ sub: 'bob', email: 'bob@example.com', email_verified: false }))
      .get('/v1/auth/me');
    expect(unverified.body.data.user.email).toBeNull();
  });

  it.each<[string, JWTPayload, string]>([
    ['is within the tolerance', { nbf: now + 3 }, 'ok'],
    ['has expired', { exp: now - 60 }, 'token_expired'],
    ['has no expiry', { exp: undefined }, 'invalid_credentials'],
    ['has no issue time', { iat: undefined }, 'invalid_credentials'],
    ['has no subject', { sub: undefined }, 'invalid_credentials'],
    ['has an empty subject', { sub: '' }, 'invalid_credentials'],
    ['has another issuer', { iss: 'elsewhere' }, 'invalid_credentials'],
    ['has another audience', { aud: 'somebody' }, 'invalid_credentials'],
    ['was issued to another party', { azp: 'nobody' }, 'invalid_credentials'],
    ['is not valid yet', { nbf: now + 60 }, 'invalid_credentials'],
  ])('that %s is checked', async (_, changes, code) => expect(await codeOf(await signToken(changes))).toBe(code));

  it.each([
    ['JWT', 'ok'],
    ['jwt', 'ok'],
    ['at+jwt', 'ok'],
    ['application/at+JWT', 'ok'],
    ['logout+jwt', 'invalid_credentials'],
    ['dpop+jwt', 'invalid_credentials'],
    ['', 'invalid_credentials'],
  ])('of the type %j gets %s', async (typ, code) => expect(await codeOf(await signToken({}, { typ }))).toBe(code));

  it('is invalid with a forged key or kid', async () => {
    const { privateKey } = generateKeyPairSync('ed25519');

    expect(await codeOf(await signToken({}, {}, privateKey))).toBe('invalid_credentials');
    expect(await codeOf(await signToken({}, { kid: 'forged' }))).toBe('invalid_credentials');
  });

  it.each(['eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.', 'a.b.c', 'x', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.AAAA'])(
    'cannot be %s',
    async (token) => expect(await codeOf(token)).toBe('invalid_credentials'),
  );
});
