import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GUIDES } from '../../src/http/docs/guide-list.js';
import { readGuide } from '../support/guide-code.js';
import { Receiver } from '../support/receiver.js';
import { type Service, startService } from '../support/service.js';

const OPERATIONS = join(import.meta.dirname, '../operations.json');
/** Every curl of a guide runs with this function, which fails for an error status. */
const STRICT_CURL = 'set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n';
const CURL_HTTP_ERROR = 22;

const names = Object.keys(GUIDES);

interface Block {
  readonly script: string;
  /** The expected error status of the block; null when its commands succeed. */
  readonly status: string | null;
}

let service: Service;
let receiver: Receiver;
let env: Record<string, string>;
beforeAll(async () => {
  receiver = await Receiver.start();
  service = await startService({ RATE_LIMIT: '1000', RATE_LIMIT_BURST: '1000' });
});
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

/** Each guide has a business of its own. */
beforeEach(async () => {
  const business = await service.createBusiness();
  env = {
    PATH: process.env.PATH!,
    KEY: await service.createKey(business, { mode: 'test' }),
    SESSION: await service.signToken('owner'),
    LIVE_KEY: await service.createKey(business),
    ADA: await signMember('ada'),
    BOB: await signMember('bob'),
    REVIEWER: await service.signToken('reviewer', { reviewer: true }),
    BUSINESS: business.id,
  };
});

const signMember = (name: string) => service.signToken(name, { email: `${name}@example.com` });

async function readBlocks(name: string): Promise<Block[]> {
  return [...(await readGuide(name)).matchAll(/```sh *(\d*)\n([^]*?)```/g)].map(([, status, script]) => ({
    status: status || null,
    script: script!
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('https://example.com/hooks', receiver.url('/hooks')),
  }));
}

/** Runs the blocks in one shell, so that a later block uses the variables of an earlier one. */
async function run(blocks: readonly Block[]): Promise<string> {
  const scripts = blocks.map(({ script, status }) => (status === null ? script : expectStatus(script, status)));
  const words = ['--norc', '-c', STRICT_CURL + scripts.join('\n')];
  const { stdout } = await promisify(execFile)('bash', words, { env }).catch((error: { stdout: string }) => {
    throw new Error(`A command of the guide failed after:\n${error.stdout}`, { cause: error });
  });
  return stdout;
}

function expectStatus(script: string, status: string): string {
  return `failed=$({ ${script.trim()}; } || [ $? -eq ${CURL_HTTP_ERROR} ])
echo "$failed"
echo "$failed" | grep -q '"status":${status},' || { echo "no status ${status}" >&2; exit 1; }`;
}

/** Returns the audit operations that the service does not have yet. */
async function findUnserved(): Promise<string[]> {
  const areas = JSON.parse(await readFile(OPERATIONS, 'utf8')) as Record<string, Record<string, { served: boolean }>>;
  return Object.entries(areas.audit ?? {})
    .filter(([, { served }]) => !served)
    .map(([name]) => name);
}

describe('A guide', () => {
  it('is listed, and is served with its links', async () => {
    const { text } = await service.createApi().get('/docs/guides');
    expect(names.filter((name) => !text.includes(`href="/docs/guides/${name}"`))).toEqual([]);

    for (const name of names) {
      const page = await service.createApi().get(`/docs/guides/${name}`);
      expect([name, page.status]).toEqual([name, 200]);
      expect(page.text).toContain(`<h1 id=`);
      for (const [, path] of page.text.matchAll(/href="(\/[^"#]*)/g))
        expect([name, path, (await service.createApi().get(path!)).status]).toEqual([name, path, 200]);
    }
  });

  it('has links to existing parts of guides', async () => {
    const paths = ['/docs/guides', ...names.map((name) => `/docs/guides/${name}`)];
    const pages = new Map<string, string>();
    for (const path of paths) pages.set(path, (await service.createApi().get(path)).text);

    const links = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/href="([^"#]*)#([^"]+)"/g)].map(([, to, anchor]) => ({ path, to: to || path, anchor })),
    );
    expect(links.length).toBeGreaterThan(names.length);
    expect(links.filter(({ to, anchor }) => !pages.get(to)?.includes(` id="${anchor}"`))).toEqual([]);
  });

  it('shows the public address of the service in its commands', async () => {
    const prefixed = await startService({ PUBLIC_URL: 'https://example.com/api' });
    const { text } = await prefixed.createApi().get('/docs/guides/errors');
    await prefixed.stop();

    expect(text).toContain('curl -s https://example.com/api/v1/');
    expect(text).toContain('href="/api/docs/guides/idempotency"');
    expect(text).not.toContain('127.0.0.1');
  });

  it('does not exist under another name', async () => {
    for (const name of ['nonsense', 'constructor', '..%2f..%2fpackage'])
      expect((await service.createApi().get(`/docs/guides/${name}`)).status).toBe(404);
  });

  it.each(names.filter((name) => name !== 'change-history'))('has commands that work: %s', async (name) => {
    const blocks = await readBlocks(name);

    expect(blocks).not.toEqual([]);
    expect(await run(blocks)).not.toBe('');
  });

  it('has commands that work: change-history', async () => {
    const unserved = await findUnserved();
    if (unserved.length === 0) expect(await run(await readBlocks('change-history'))).not.toBe('');
    else console.warn(`Skipped: the commands of change-history, without ${unserved.join(', ')}`);
  });
});
