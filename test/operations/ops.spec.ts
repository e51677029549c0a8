import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ServiceProcess } from '../support/service-process.js';

const REVOKED_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 50;
const OPS = join(import.meta.dirname, '../../dist/operations/ops.js');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ops-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

function ops(words: string, env: Record<string, string> = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', OPS, ...words.split(' ')],
      { env: { PATH: process.env.PATH, DATA_DIR: directory, ...env } },
      (_, out, err) => resolve({ exitCode: child.exitCode ?? -1, out, err }),
    );
  });
}

/* eslint-disable-next-line @typescript-eslint/no-explicit-any -- each command prints its own document */
async function documentOf(words: string): Promise<any> {
  const { exitCode, out, err } = await ops(`${words} --json`);
  expect([exitCode, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('The command line', () => {
  it('makes a business, a key and a token on an empty store, and the service knows them', async () => {
    const { business } = await documentOf('businesses create --name Acme --owner-sub ann --owner-email Ann@example.com');
    const { key, secret } = await documentOf(`keys create --business ${business.id} --mode test --access read_only`);
    const { token } = await documentOf('tokens sign --sub ann --email ann@example.com --reviewer --expires-in 60');
    const service = await ServiceProcess.start(directory);
    const [asKey, asAnn] = [await service.api(secret).get('/v1/auth/me'), await service.api(token).get('/v1/businesses')];
    const exitCode = await service.stop();

    expect(business).toMatchObject({ object: 'business', name: 'Acme', owner: { object: 'user' } });
    expect(key).toMatchObject({ object: 'api_key', mode: 'test', access: 'read_only', prefix: 'rk_test_', last4: secret.slice(-4) });
    expect(asKey.body.data).toMatchObject({ actor: { type: 'api_key', id: key.id }, business: { id: business.id }, mode: 'test' });
    expect(asAnn.body.data).toEqual([business]);
    expect(service.output).not.toContain('sk_live_');
    expect(exitCode).toBe(0);
  });

  it('works while the service runs', async () => {
    const service = await ServiceProcess.start(directory);
    const { business } = await documentOf('businesses create --name Acme --owner-sub ann');
    const { secret } = await documentOf(`keys create --business ${business.id} --mode live --access full`);
    const { status } = await service.api(secret).get('/v1/auth/me');
    await service.stop();

    expect(status).toBe(200);
  });

  it('lists the keys of a business, and revokes one for a service that runs', async () => {
    const { business } = await documentOf('businesses create --name Acme --owner-sub ann');
    const create = () => documentOf(`keys create --business ${business.id} --mode live --access full`);
    const [first, second] = [await create(), await create()];
    const service = await ServiceProcess.start(directory);
    const me = () => service.api(first.secret).get('/v1/auth/me');
    expect((await me()).status).toBe(200);

    const { key } = await documentOf(`keys revoke ${first.key.id}`);
    const revoked = performance.now();
    while ((await me()).status === 200) await setTimeout(LOOK_AGAIN_MS);
    const lasted = performance.now() - revoked;
    await service.stop();
    const { keys } = await documentOf(`keys list --business ${business.id}`);

    expect(lasted).toBeLessThan(REVOKED_WITHIN_MS);
    expect(key).toMatchObject({ id: first.key.id, revoked_at: expect.stringMatching(/Z$/) });
    expect(keys).toEqual([second.key, { ...key, last_used_at: expect.stringMatching(/Z$/) }]);
  });

  it('lists keys for people too, with no more than the end of each', async () => {
    const { business } = await documentOf('businesses create --name Acme --owner-sub ann');
    const { key, secret } = await documentOf(`keys create --business ${business.id} --mode test --access read_only`);
    await documentOf(`keys revoke ${key.id}`);
    const { out } = await ops(`keys list --business ${business.id}`);

    expect(out).toMatch(new RegExp(`^${key.id}  test  read_only  rk_test_…${key.last4}  Command line  revoked \\S+Z\n$`));
    expect(out).not.toContain(secret);
  });

  it.each([
    'nonsense',
    'businesses',
    'businesses destroy',
    'businesses create --name Acme',
    'keys create --business biz_1 --mode alive --access full',
    'keys list',
    'keys revoke',
    'tokens sign --sub ann --expires-in soon',
    'tokens sign --sub ann --nonsense',
  ])('says in one line what is wrong with: %s', async (words) => {
    const { exitCode, out, err } = await ops(words);

    expect([exitCode, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    '--help',
    'keys --help',
    'keys create --help',
    'keys list --help',
    'keys revoke --help',
    'businesses create --help',
    'tokens sign --help',
  ])('has an example in %s', async (words) => {
    const { exitCode, out } = await ops(words);

    expect([exitCode, out]).toEqual([0, expect.stringContaining('Example:\n  npm run ops -- ')]);
  });

  it.each([
    ['keys create --business biz_unknown --mode live --access full', 'there is no business biz_unknown'],
    ['keys list --business biz_unknown', 'there is no business biz_unknown'],
    ['keys revoke key_unknown', 'there is no key key_unknown'],
  ])('fails in one line: %s', async (words, line) => {
    const { exitCode, err } = await ops(`${words} --json`);

    expect([exitCode, err]).toEqual([1, `${line}\n`]);
  });

  it('ends with 78 when the configuration is wrong', async () => {
    const { exitCode, err } = await ops('tokens sign --sub ann', { PORT: 'x', ROLE: 'y' });

    expect([exitCode, err.trim().split('\n').length]).toEqual([78, 2]);
  });
});
