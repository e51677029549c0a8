import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Streams } from '../../src/engine/streams/streams.js';
import { apiKey } from '../../src/identity/domain/api-key.js';
import { dataOf } from '../support/api.js';
import { itOnFile } from '../support/real-stores/real-stores.js';
import { startService, type Service } from '../support/service.js';
import { FAR, KEYS, Keyring, refusalOf, WISH } from './keyring.js';

let service: Service;
let keyring: Keyring;
beforeAll(async () => (service = await startService()));
beforeEach(async () => (keyring = await Keyring.in(service)));
afterAll(() => service.stop());

describe('A new API key', () => {
  it('is returned with a working secret', async () => {
    const reply = await keyring.owner.post(KEYS, { ...WISH, mode: 'test', access: 'read_only', expires_at: '2126-01-01T01:00:00+01:00' });
    const { secret, ...key } = dataOf(reply);

    expect(reply.status).toBe(201);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      object: 'api_key',
      name: 'Shop',
      mode: 'test',
      access: 'read_only',
      business: { object: 'business', id: keyring.business.id },
      user: { object: 'user', id: keyring.business.ownerId },
      prefix: 'rk_test_',
      last4: secret.slice(-4),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: FAR,
      revoked_at: null,
    });
    expect(dataOf(await keyring.me(secret))).toMatchObject({ actor: { id: key.id }, mode: 'test', access: 'read_only' });
  });

  it('is returned without its secret by a repeated request', async () => {
    const key = { 'idempotency-key': 'a key' };
    const [first, again] = [await keyring.owner.post(KEYS, WISH, key), await keyring.owner.post(KEYS, WISH, key)];
    const { secret, ...rest } = dataOf(first);

    expect(secret).toMatch(/^sk_live_/);
    expect([again.status, dataOf(again)]).toEqual([201, rest]);
    expect(await keyring.listed()).toHaveLength(1);
  });

  it.each<[string, object, string, string]>([
    ['no name', { name: '' }, 'validation_failed', 'name'],
    ['too long a name', { name: 'x'.repeat(101) }, 'validation_failed', 'name'],
    ['an unknown mode', { mode: 'alive' }, 'validation_failed', 'mode'],
    ['an unknown access', { access: 'some' }, 'validation_failed', 'access'],
    ['an expiry in the past', { expires_at: '2026-01-01T00:00:00Z' }, 'validation_failed', 'expires_at'],
    ['a date without a time for its expiry', { expires_at: '2126-01-01' }, 'validation_failed', 'expires_at'],
    ['a user of its own', { user: 'usr_1' }, 'unknown_parameter', 'user'],
  ])('cannot have %s', async (_, wish, code, param) => {
    expect(refusalOf(await keyring.owner.post(KEYS, { ...WISH, ...wish }))).toEqual([422, code, [param]]);
  });

  itOnFile('keeps its plaintext out of the store', async () => {
    const { secret, id } = dataOf(await keyring.owner.post(KEYS, WISH, { 'idempotency-key': 'to be kept' }));
    await keyring.me(secret);
    const files = await Promise.all((await readdir(service.dataDir)).map((name) => readFile(join(service.dataDir, name), 'latin1')));

    expect(files.join('')).toContain(id);
    expect(files.join('')).not.toContain(secret);
  });
});

describe('The keys of a business', () => {
  it('are listed newest first, page by page, in both modes and never with a secret', async () => {
    const [first, second] = [await keyring.made(), await keyring.made({ mode: 'test' })];
    const { body } = await keyring.owner.get(`${KEYS}?per_page=1&page=2`);
    const listed = await keyring.listed();

    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(listed.every((key: object) => !('secret' in key))).toBe(true);
    expect(body.data).toEqual([listed[1]]);
    expect(body.pagination).toEqual({ total_pages: 2, current_page: 2, per_page: 1, total_count: 2 });
    expect(await keyring.shown(first.id)).toEqual(listed[1]);
  });

  it('are hidden from other businesses', async () => {
    const key = await keyring.made();
    const foreign = await Keyring.in(service, 'somebody');
    const refused = await Promise.all([
      foreign.owner.get(`${KEYS}/${key.id}`),
      foreign.owner.delete(`${KEYS}/${key.id}`),
      foreign.rotate(key.id),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await foreign.listed()).toEqual([]);
    expect((await keyring.me(key.secret)).status).toBe(200);
  });

  it('cannot be created with a key', async () => {
    const { secret } = await keyring.made();

    expect(refusalOf(await service.api(secret).post(KEYS, WISH))).toEqual([403, 'permission_denied', []]);
    expect(refusalOf(await service.api(secret).get(KEYS))).toEqual([403, 'permission_denied', []]);
  });
});

describe('A revoked key', () => {
  it('is invalid', async () => {
    const key = await keyring.made();
    expect((await keyring.me(key.secret)).status).toBe(200);
    const reply = await keyring.owner.delete(`${KEYS}/${key.id}`);

    expect([reply.status, dataOf(reply).revoked_at]).toEqual([200, expect.stringMatching(/Z$/)]);
    expect(refusalOf(await keyring.me(key.secret))).toEqual([401, 'invalid_credentials', []]);
    expect((await keyring.shown(key.id)).revoked_at).toBe(dataOf(reply).revoked_at);
  });

  it('can be revoked again, and stays as it was', async () => {
    const { id } = await keyring.made();
    const [first, again] = [await keyring.owner.delete(`${KEYS}/${id}`), await keyring.owner.delete(`${KEYS}/${id}`)];

    expect([again.status, dataOf(again)]).toEqual([200, dataOf(first)]);
  });

  it('has no successor', async () => {
    const { id } = await keyring.made();
    await keyring.owner.delete(`${KEYS}/${id}`);

    expect(refusalOf(await keyring.rotate(id))).toEqual([422, 'key_ended', []]);
  });
});

describe('The last use of a key', () => {
  it('is shown, but is in no event', async () => {
    const { id, secret } = await keyring.made();
    const usedAt = async () => (await keyring.shown(id)).last_used_at as string | null;
    expect(await usedAt()).toBeNull();
    await keyring.me(secret);
    while ((await usedAt()) === null) await new Promise(setImmediate);
    const used = await usedAt();
    await keyring.me(secret);

    expect(used).toMatch(/Z$/);
    expect(await usedAt()).toBe(used);
    expect((await keyring.listed())[0].last_used_at).toBe(used);
    expect(await service.get(Streams).history(apiKey, id)).toHaveLength(1);
  });
});
