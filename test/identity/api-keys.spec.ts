import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Streams } from '../../src/engine/streams/streams.js';
import { apiKeyDecider } from '../../src/identity/domain/api-key.js';
import { requireData } from '../support/api.js';
import { itOnEmbeddedFile } from '../support/external-stores/external-stores.js';
import { type Service, startService } from '../support/service.js';
import { FAR_FUTURE, KEY_OPTIONS, KeyFixtures, KEYS, toErrorSummary } from './authentication/key-fixtures.js';

let service: Service;
let keyFixtures: KeyFixtures;
beforeAll(async () => (service = await startService()));
beforeEach(async () => (keyFixtures = await KeyFixtures.create(service)));
afterAll(() => service.stop());

describe('A new API key', () => {
  it('is returned with a working secret', async () => {
    const reply = await keyFixtures.owner.post(KEYS, {
      ...KEY_OPTIONS,
      mode: 'test',
      access: 'read_only',
      expires_at: '2126-01-01T01:00:00+01:00',
    });
    const { secret, ...key } = requireData(reply);

    expect(reply.status).toBe(201);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
      object: 'api_key',
      name: 'Shop',
      mode: 'test',
      access: 'read_only',
      business: { object: 'business', id: keyFixtures.business.id },
      user: { object: 'user', id: keyFixtures.business.ownerId },
      prefix: 'rk_test_',
      last4: secret.slice(-4),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: FAR_FUTURE,
      revoked_at: null,
    });
    expect(requireData(await keyFixtures.readCaller(secret))).toMatchObject({
      actor: { id: key.id },
      mode: 'test',
      access: 'read_only',
    });
  });

  it('is returned without its secret by a repeated request', async () => {
    const key = { 'idempotency-key': 'a key' };
    const [first, again] = [
      await keyFixtures.owner.post(KEYS, KEY_OPTIONS, key),
      await keyFixtures.owner.post(KEYS, KEY_OPTIONS, key),
    ];
    const { secret, ...rest } = requireData(first);

    expect(secret).toMatch(/^sk_live_/);
    expect([again.status, requireData(again)]).toEqual([201, rest]);
    expect(await keyFixtures.list()).toHaveLength(1);
  });

  it.each<[string, object, string, string]>([
    ['no name', { name: '' }, 'validation_failed', 'name'],
    ['too long a name', { name: 'x'.repeat(101) }, 'validation_failed', 'name'],
    ['an unknown mode', { mode: 'alive' }, 'validation_failed', 'mode'],
    ['an unknown access', { access: 'some' }, 'validation_failed', 'access'],
    ['an expiry in the past', { expires_at: '2026-01-01T00:00:00Z' }, 'validation_failed', 'expires_at'],
    ['a date without a time for its expiry', { expires_at: '2126-01-01' }, 'validation_failed', 'expires_at'],
    ['a user of its own', { user: 'usr_1' }, 'unknown_parameter', 'user'],
  ])('cannot have %s', async (_, options, code, param) => {
    expect(toErrorSummary(await keyFixtures.owner.post(KEYS, { ...KEY_OPTIONS, ...options }))).toEqual([
      422,
      code,
      [param],
    ]);
  });

  itOnEmbeddedFile('keeps its plaintext out of the store', async () => {
    const { secret, id } = requireData(
      await keyFixtures.owner.post(KEYS, KEY_OPTIONS, { 'idempotency-key': 'to be kept' }),
    );
    await keyFixtures.readCaller(secret);
    const files = await Promise.all(
      (await readdir(service.dataDir)).map((name) => readFile(join(service.dataDir, name), 'latin1')),
    );

    expect(files.join('')).toContain(id);
    expect(files.join('')).not.toContain(secret);
  });
});

describe('The keys of a business', () => {
  it('are listed newest first, page by page, in both modes and never with a secret', async () => {
    const [first, second] = [await keyFixtures.createKey(), await keyFixtures.createKey({ mode: 'test' })];
    const { body } = await keyFixtures.owner.get(`${KEYS}?per_page=1&page=2`);
    const listed = await keyFixtures.list();

    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
    expect(listed.every((key: object) => !('secret' in key))).toBe(true);
    expect(body.data).toEqual([listed[1]]);
    expect(body.pagination).toEqual({ total_pages: 2, current_page: 2, per_page: 1, total_count: 2 });
    expect(await keyFixtures.retrieve(first.id)).toEqual(listed[1]);
  });

  it('are hidden from other businesses', async () => {
    const key = await keyFixtures.createKey();
    const foreign = await KeyFixtures.create(service, 'somebody');
    const refused = await Promise.all([
      foreign.owner.get(`${KEYS}/${key.id}`),
      foreign.owner.delete(`${KEYS}/${key.id}`),
      foreign.rotate(key.id),
    ]);

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await foreign.list()).toEqual([]);
    expect((await keyFixtures.readCaller(key.secret)).status).toBe(200);
  });

  it('cannot be created with a key', async () => {
    const { secret } = await keyFixtures.createKey();

    expect(toErrorSummary(await service.createApi(secret).post(KEYS, KEY_OPTIONS))).toEqual([
      403,
      'permission_denied',
      [],
    ]);
    expect(toErrorSummary(await service.createApi(secret).get(KEYS))).toEqual([403, 'permission_denied', []]);
  });
});

describe('A revoked key', () => {
  it('is invalid', async () => {
    const key = await keyFixtures.createKey();
    expect((await keyFixtures.readCaller(key.secret)).status).toBe(200);
    const reply = await keyFixtures.owner.delete(`${KEYS}/${key.id}`);

    expect([reply.status, requireData(reply).revoked_at]).toEqual([200, expect.stringMatching(/Z$/)]);
    expect(toErrorSummary(await keyFixtures.readCaller(key.secret))).toEqual([401, 'invalid_credentials', []]);
    expect((await keyFixtures.retrieve(key.id)).revoked_at).toBe(requireData(reply).revoked_at);
  });

  it('can be revoked again, and stays as it was', async () => {
    const { id } = await keyFixtures.createKey();
    const [first, again] = [
      await keyFixtures.owner.delete(`${KEYS}/${id}`),
      await keyFixtures.owner.delete(`${KEYS}/${id}`),
    ];

    expect([again.status, requireData(again)]).toEqual([200, requireData(first)]);
  });

  it('has no successor', async () => {
    const { id } = await keyFixtures.createKey();
    await keyFixtures.owner.delete(`${KEYS}/${id}`);

    expect(toErrorSummary(await keyFixtures.rotate(id))).toEqual([422, 'key_ended', []]);
  });
});

describe('The last use of a key', () => {
  it('is shown, but is in no event', async () => {
    const { id, secret } = await keyFixtures.createKey();
    const usedAt = async () => (await keyFixtures.retrieve(id)).last_used_at as string | null;
    expect(await usedAt()).toBeNull();
    await keyFixtures.readCaller(secret);
    while ((await usedAt()) === null) await new Promise(setImmediate);
    const used = await usedAt();
    await keyFixtures.readCaller(secret);

    expect(used).toMatch(/Z$/);
    expect(await usedAt()).toBe(used);
    expect((await keyFixtures.list())[0].last_used_at).toBe(used);
    expect(await service.get(Streams).loadHistory(apiKeyDecider, id)).toHaveLength(1);
  });
});
