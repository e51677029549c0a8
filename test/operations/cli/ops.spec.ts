import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { CommandLine } from '../../support/command-line.js';
import { startServiceOn } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';

const REVOKED_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 50;

let directory: string;
let ops: CommandLine;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ops-'));
  ops = new CommandLine(directory);
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('The command line', () => {
  it('exits with 78 and one line when the data directory is a file', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');

    expect(await ops.run('events stats', { DATA_DIR: file })).toEqual({
      exitCode: 78,
      out: '',
      err: expect.stringMatching(/^ENOTDIR: .*\n$/) as string,
    });
  });

  it('exits with 1 and prints an unexpected error once, with its stack', async () => {
    await ops.run('businesses create --name Acme --owner-sub ann --owner-email Ann@example.com');
    const db = new DatabaseSync(join(directory, 'store.sqlite'));
    db.exec('drop table jobs');
    db.close();
    const { exitCode, out, err } = await ops.run('jobs list');

    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/^Error: no such table: jobs\n( {4}at .*\n)+$/);
  });

  it('creates a business, a key and a token on an empty store, and the service accepts them', async () => {
    const { business } = await ops.runForDocument(
      'businesses create --name Acme --owner-sub ann --owner-email Ann@example.com',
    );
    const { key, secret } = await ops.runForDocument(
      `keys create --business ${business.id} --mode test --access read_only`,
    );
    const { token } = await ops.runForDocument(
      'tokens sign --sub ann --email ann@example.com --reviewer --expires-in 60',
    );
    const service = await ServiceProcess.start(directory);
    const [asKey, asAnn] = [
      await service.createApi(secret).get('/v1/auth/me'),
      await service.createApi(token).get('/v1/businesses'),
    ];
    const exitCode = await service.stop();

    expect(business).toMatchObject({ object: 'business', name: 'Acme', owner: { object: 'user' } });
    expect(key).toMatchObject({
      object: 'api_key',
      mode: 'test',
      access: 'read_only',
      prefix: 'rk_test_',
      last4: secret.slice(-4),
    });
    expect(asKey.body.data).toMatchObject({
      actor: { type: 'api_key', id: key.id },
      business: { id: business.id },
      mode: 'test',
    });
    expect(asAnn.body.data).toEqual([business]);
    expect(service.output).not.toContain('sk_live_');
    expect(exitCode).toBe(0);
  });

  it('works while the service runs', async () => {
    const service = await startServiceOn(directory);
    const { business } = await ops.runForDocument('businesses create --name Acme --owner-sub ann');
    const { secret } = await ops.runForDocument(`keys create --business ${business.id} --mode live --access full`);
    const { status } = await service.createApi(secret).get('/v1/auth/me');
    await service.close();

    expect(status).toBe(200);
  });

  it('lists the keys of a business, and revokes a key while the service runs', async () => {
    const { business } = await ops.runForDocument('businesses create --name Acme --owner-sub ann');
    const create = () => ops.runForDocument(`keys create --business ${business.id} --mode live --access full`);
    const [first, second] = [await create(), await create()];
    const service = await startServiceOn(directory);
    const me = () => service.createApi(first.secret).get('/v1/auth/me');
    expect((await me()).status).toBe(200);

    const { key } = await ops.runForDocument(`keys revoke ${first.key.id}`);
    const revoked = performance.now();
    while ((await me()).status === 200) await setTimeout(LOOK_AGAIN_MS);
    const lasted = performance.now() - revoked;
    await service.close();
    const { keys } = await ops.runForDocument(`keys list --business ${business.id}`);

    expect(lasted).toBeLessThan(REVOKED_WITHIN_MS);
    expect(key).toMatchObject({ id: first.key.id, revoked_at: expect.stringMatching(/Z$/) });
    expect(keys).toEqual([second.key, { ...key, last_used_at: expect.stringMatching(/Z$/) }]);
  });

  it('reports once that a command created a new store', async () => {
    const create = async () => (await ops.run('businesses create --name Acme --owner-sub ann')).err;

    expect(await create()).toBe(`created a new store at ${join(directory, 'store.sqlite')}\n`);
    expect(await create()).toBe('');
  });

  it('shows stored names without characters that control the terminal', async () => {
    const name = 'Shop\u001b[31m\rowned\u202elive\u0007';
    const service = await startServiceOn(directory);
    const business = await service.createBusiness(name);
    await service.createKey(business, { name });
    await service.close();
    const shown = [
      await ops.run('businesses list'),
      await ops.run(`keys list --business ${business.id}`),
      await ops.run('events search --type BusinessCreated'),
    ];

    for (const { exitCode, out } of shown) {
      expect(exitCode).toBe(0);
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    }
    expect(shown[1]!.out).toContain('Shop [31m owned live');
  });

  it('lists all businesses, the newest first', async () => {
    const [{ business: acme }, { business: other }] = [
      await ops.runForDocument('businesses create --name Acme --owner-sub ann'),
      await ops.runForDocument('businesses create --name Other --owner-sub ben'),
    ];

    expect(await ops.runForDocument('businesses list')).toEqual({ businesses: [other, acme] });
    expect((await ops.run('businesses list')).out).toMatch(
      new RegExp(`^ID .*\n${other.id} +Other .*\n${acme.id} +Acme .*\n$`),
    );
  });

  it('rotates a key: the new key works immediately, the old key until the overlap ends', async () => {
    const { business } = await ops.runForDocument('businesses create --name Acme --owner-sub ann');
    const old = await ops.runForDocument(`keys create --business ${business.id} --mode live --access full`);
    const rotated = await ops.runForDocument(`keys rotate ${old.key.id} --overlap 3600`);
    const ended = await ops.runForDocument(`keys rotate ${rotated.key.id}`);
    const service = await startServiceOn(directory);
    const statuses = await Promise.all(
      [old.secret, rotated.secret, ended.secret].map(
        async (secret) => (await service.createApi(secret).get('/v1/auth/me')).status,
      ),
    );
    await service.close();

    expect(statuses).toEqual([200, 401, 200]);
    expect(ended.key).toMatchObject({ mode: 'live', access: 'full', business: { id: business.id } });
  });

  it('checks the configuration, exits with 78 and prints every mistake', async () => {
    expect(await ops.run('config check', { WEBHOOK_ALLOW_HTTP: 'true' })).toMatchObject({
      exitCode: 0,
      out: 'warning: webhooks are sent over plain HTTP (WEBHOOK_ALLOW_HTTP)\nthe configuration is valid\n',
    });
    const { exitCode, err } = await ops.run('config check', { PORT: 'x', ROLE: 'chief' });
    expect([exitCode, err.trim().split('\n').length]).toEqual([78, 2]);
  });

  it('prints the configuration and hides its secrets', async () => {
    const { out } = await ops.run('config print', { PORT: '3005', OPS_TOKEN: 'a-secret-token' });

    expect(out).not.toContain('CRASH_AT');
    expect(out).toMatch(/^PORT +3005 +environment$/m);
    expect(out).toMatch(/^HOST +127\.0\.0\.1 +default$/m);
    expect(out).toMatch(/^OPS_TOKEN +\(hidden\) +environment$/m);
    expect(out).not.toContain('a-secret-token');
  });

  it('prints only the last characters of each key', async () => {
    const { business } = await ops.runForDocument('businesses create --name Acme --owner-sub ann');
    const { key, secret } = await ops.runForDocument(
      `keys create --business ${business.id} --mode test --access read_only`,
    );
    await ops.runForDocument(`keys revoke ${key.id}`);
    const { out } = await ops.run(`keys list --business ${business.id}`);

    expect(out).toMatch(
      new RegExp(`^${key.id}  test  read_only  rk_test_…${key.last4}  Command line  revoked \\S+Z\n$`),
    );
    expect(out).not.toContain(secret);
  });

  it.each(['nonsense', 'keys create --business biz_1 --mode alive --access full'])(
    'exits with 2 and one line for: %s',
    async (words) => {
      const { exitCode, out, err } = await ops.run(words);

      expect([exitCode, out]).toEqual([2, '']);
      expect(err.trim().split('\n')).toHaveLength(1);
    },
  );

  it('names the available commands when a command is unknown or missing', async () => {
    expect((await ops.run('jobs wash')).err).toBe(
      "error: unknown command 'wash'; available commands: list, show, retry, cancel\n",
    );
    expect((await ops.run('events')).err).toBe(
      'error: missing command; available commands: tail, show, stream, search, trace, stats\n',
    );
  });

  it.each(['--help', 'projections rebuild --help'])('prints help: %s', async (words) => {
    const { exitCode, out, err } = await ops.run(words);

    expect([exitCode, out, err]).toEqual([0, expect.stringContaining('Example:\n  npm run ops -- projections '), '']);
  });

  it.each([
    ['keys create --business biz_unknown --mode live --access full', 'there is no business biz_unknown'],
    ['keys list --business biz_unknown', 'there is no business biz_unknown'],
    ['keys revoke key_unknown', 'there is no key key_unknown'],
  ])('fails in one line: %s', async (words, line) => {
    await ops.run('businesses create --name Acme --owner-sub ann');
    const { exitCode, err } = await ops.run(`${words} --json`);

    expect([exitCode, err]).toEqual([1, `${line}\n`]);
  });

  it('exits with 78 when the configuration is wrong', async () => {
    const { exitCode, err } = await ops.run('tokens sign --sub ann', { PORT: 'x', ROLE: 'y' });

    expect([exitCode, err.trim().split('\n').length]).toEqual([78, 2]);
  });
});
