import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { freshFolder } from '../support/service.js';
import { TEST_ENVIRONMENT } from '../support/service-process.js';

const ROOT = join(import.meta.dirname, '../..');

describe('The npm scripts', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await freshFolder();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  function npm(...words: string[]) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...TEST_ENVIRONMENT, DATA_DIR: dataDir };
    const child = spawn('npm', words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
    const printed = async (text: string) => {
      while (!output.includes(text)) await once(child.stdout, 'data');
    };
    return { pid: child.pid!, ended, printed };
  }

  it('leave standard output to the command', async () => {
    const { code, output } = await npm('run', 'ops', '--', 'tokens', 'sign', '--sub', 'ann', '--json').ended;

    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(output) as object)).toEqual(['token']);
  });

  it('keep the exit code of the command', async () => {
    expect((await npm('run', 'ops', '--', 'nonsense').ended).code).toBe(2);
  });

  it('end the service in order when the whole group of processes is told to, as a terminal does', async () => {
    const service = npm('start');
    await service.printed('ready http');
    process.kill(-service.pid, 'SIGINT');

    expect((await service.ended).code).toBe(0);
  });

  it('end the service in order when npm alone is told to', async () => {
    const service = npm('start');
    await service.printed('ready http');
    process.kill(service.pid, 'SIGTERM');

    expect((await service.ended).code).toBe(0);
  });
});
