import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTempFolder } from '../support/service.js';
import { TEST_ENVIRONMENT } from '../support/service-process.js';

/** npm brings Node 24, and Node 26 where it has no current Node 24. */
const INSTALLED_MAJOR = Number.parseInt(process.versions.node, 10);
const ROOT = join(import.meta.dirname, '../..');
const OPTIONS = { BUILD_CONSOLE: 'false', ...TEST_ENVIRONMENT };

describe('An npm script', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await createTempFolder();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  function npm(...words: string[]) {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...OPTIONS, DATA_DIR: dataDir };
    const child = spawn('npm', words, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
    const printed = async (text: string) => {
      while (!output.includes(text)) await once(child.stdout, 'data');
    };
    return { pid: child.pid!, ended, printed };
  }

  it('prints only the output of the command to standard output', async () => {
    const business = ['--name', 'A', '--owner-sub', 'ann', '--owner-email', 'ann@example.com'];
    const { code, output } = await npm('run', 'ops', '--', 'businesses', 'create', ...business, '--json').ended;

    expect(code).toBe(0);
    expect(Object.keys(JSON.parse(output) as object)).toEqual(['business']);
  });

  it('exits with the exit code of the command', async () => {
    expect((await npm('run', 'ops', '--', 'nonsense').ended).code).toBe(2);
  });

  it.each([
    ['is newer than the installed one', `v${INSTALLED_MAJOR}.999.0`, /^ran by the caller's: .*ops\.js --help\n$/],
    ['is an older Node 24', 'v24.0.1', /^Usage: ops /],
    ['is older than Node 24', 'v22.99.0', /^Usage: ops /],
    ['has a later major version', 'v99.0.0', /^Usage: ops /],
    ['prints no version', '', /^Usage: ops /],
  ])('chooses between two Nodes when the Node of the caller %s', async (_, version, printed) => {
    const callers = join(dataDir, 'node');
    await writeFile(
      callers,
      `#!/bin/sh\ncase "$1" in --version) echo ${version};; *) echo "ran by the caller's: $*";; esac\n`,
      {
        mode: 0o755,
      },
    );
    const env = { ...process.env, npm_node_execpath: callers };
    const { stdout } = await promisify(execFile)(process.execPath, ['bin/run.mjs', 'ops', '--help'], {
      cwd: ROOT,
      env,
    });

    expect(stdout).toMatch(printed);
  });

  it.each([
    ['the whole process group gets a signal, as from a terminal', 'SIGINT', -1],
    ['only npm gets a signal', 'SIGTERM', 1],
  ] as const)('shuts the service down when %s', async (_, signal, sign) => {
    const service = npm('start');
    await service.printed('ready http');
    process.kill(sign * service.pid, signal);

    expect((await service.ended).code).toBe(0);
  });
});
