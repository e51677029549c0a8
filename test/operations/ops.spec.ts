import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../support/service-process.js';

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

  it.each([
    'nonsense',
    'businesses',
    'businesses destroy',
    'businesses create --name Acme',
    'keys create --business biz_1 --mode alive --access full',
    'tokens sign --sub ann --expires-in soon',
    'tokens sign --sub ann --nonsense',
  ])('says in one line what is wrong with: %s', async (words) => {
    const { exitCode, out, err } = await ops(words);

    expect([exitCode, out]).toEqual([2, '']);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it.each(['--help', 'keys --help', 'keys create --help', 'businesses create --help', 'tokens sign --help'])(
    'has an example in %s',
    async (words) => {
      const { exitCode, out } = await ops(words);

      expect([exitCode, out]).toEqual([0, expect.stringContaining('Example:\n  npm run ops -- ')]);
    },
  );

  it('fails for a business that does not exist', async () => {
    const { exitCode, err } = await ops('keys create --business biz_unknown --mode live --access full --json');

    expect([exitCode, err]).toEqual([1, 'there is no business biz_unknown\n']);
  });

  it('ends with 78 when the configuration is wrong', async () => {
    const { exitCode, err } = await ops('tokens sign --sub ann', { PORT: 'x', ROLE: 'y' });

    expect([exitCode, err.trim().split('\n').length]).toEqual([78, 2]);
  });
});
