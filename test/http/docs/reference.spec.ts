import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Service, startService } from '../../support/service.js';

const ASSETS = join(import.meta.dirname, '../../../docs/assets');

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const policyOf = (response: Response) => response.headers.get('content-security-policy')!;
const fetchAsset = (name: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/docs/assets/${name}`, { headers });

describe('The page of the API reference', () => {
  it('loads scripts, styles and data from its own origin only', async () => {
    const page = await fetch(`${service.url}/docs`);
    const text = await page.text();

    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect([...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!.slice(0, 1))).not.toContain('h');
    expect(policyOf(page)).toContain("default-src 'none'; script-src 'self';");
    expect(policyOf(page)).not.toMatch(/http|\*|unsafe-eval|(script-src|style-src) [^;]*unsafe-inline/);
    expect(text).not.toMatch(/<script>|<style| on\w+=/);
  });

  it('has a new nonce in each response, which must not be stored', async () => {
    const pages = await Promise.all([1, 2].map(() => fetch(`${service.url}/docs`)));
    const nonces = pages.map((page) => /nonce-([^']+)'/.exec(policyOf(page))![1]!);

    expect(new Set(nonces).size).toBe(2);
    expect(pages.map((page) => page.headers.get('cache-control'))).toEqual(['no-store', 'no-store']);
    expect(await pages[0]!.text()).toContain(`<meta property="csp-nonce" nonce="${nonces[0]}"`);
  });

  it('switches off what would send data to others', async () => {
    const [, settings] = /data-configuration="([^"]+)"/.exec(await (await fetch(`${service.url}/docs`)).text())!;

    expect(JSON.parse(settings!.replaceAll('&quot;', '"'))).toMatchObject({
      url: '/openapi.json',
      telemetry: false,
      withDefaultFonts: false,
      proxyUrl: '',
      persistAuth: false,
    });
  });

  it('keeps the path of the public address in its links', async () => {
    const prefixed = await startService({ PUBLIC_URL: 'https://example.com/api' });
    const text = await (await fetch(`${prefixed.url}/docs`)).text();
    await prefixed.stop();

    expect(text).toContain('src="/api/docs/assets/scalar.js"');
    expect(text).toContain('/api/openapi.json');
  });
});

describe('A file of the pages', () => {
  it.each([
    ['scalar.js', 'text/javascript; charset=utf-8'],
    ['reference.js', 'text/javascript; charset=utf-8'],
    ['pages.css', 'text/css; charset=utf-8'],
    ['reference.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ])('is served and revalidated: %s', async (name, mediaType) => {
    const first = await fetchAsset(name);
    const again = await fetchAsset(name, { 'if-none-match': first.headers.get('etag')! });

    expect([first.status, first.headers.get('content-type')]).toEqual([200, mediaType]);
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(100);
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('is not found under another name', async () => {
    for (const name of ['scalar.js.gz', '..%2f..%2fpackage.json', 'README.md', 'constructor'])
      expect([name, (await fetchAsset(name)).status]).toEqual([name, 404]);
  });

  it('is sent uncompressed to a client that does not accept gzip', async () => {
    const plain = await fetchAsset('scalar.js', { 'accept-encoding': 'identity' });

    expect([plain.status, plain.headers.get('content-encoding')]).toEqual([200, null]);
    expect(await plain.text()).toContain('@scalar/api-reference');
  });

  it('is the script of Scalar that its README names', async () => {
    const script = gunzipSync(await readFile(join(ASSETS, 'scalar.js.gz')));
    const readme = await readFile(join(ASSETS, 'README.md'), 'utf8');
    const [, version] = /@scalar\/api-reference (\d+\.\d+\.\d+)/.exec(script.toString())!;

    expect(readme).toContain(createHash('sha256').update(script).digest('hex'));
    expect(readme).toContain(`@scalar/api-reference@${version}`);
  });
});
