import { GUIDES } from '../../../src/http/docs/guide-list.js';
import { type Service, startService } from '../../support/service.js';

const names = Object.keys(GUIDES);
const LINK = /\]\(([^)\s]+)\)/g;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const read = (path: string) => service.createApi().get(path);
const listLinks = (markdown: string) => [...new Set([...markdown.matchAll(LINK)].map(([, href]) => href!))];

/** Returns the links to this service that lead nowhere when they are followed from the path. */
async function findBrokenLinks(markdown: string, path: string): Promise<string[]> {
  const broken = [];
  for (const href of listLinks(markdown)) {
    const { origin, pathname } = new URL(href, service.url + path);
    if (origin === service.url && (await read(pathname)).status !== 200) broken.push(href);
  }
  return broken;
}

describe('llms.txt', () => {
  it('has a title, a summary, and lists of links that each have a sentence', async () => {
    const { status, headers, text } = await read('/llms.txt');

    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(text).toMatch(/^# \S+\n\n> .+\n\n[^#]+## /);
    const listed = text.split('\n').filter((line) => line.startsWith('- '));
    expect(listed.filter((line) => !/^- \[[^\]]+\]\([^)]+\): .+\.$/.test(line))).toEqual([]);
    expect(listed.length).toBeGreaterThan(names.length);
  });

  it('links to each guide as Markdown, and to existing pages only', async () => {
    const { text } = await read('/llms.txt');

    expect(names.filter((name) => !listLinks(text).includes(`${service.url}/docs/guides/${name}.md`))).toEqual([]);
    expect(await findBrokenLinks(text, '/llms.txt')).toEqual([]);
  });

  it('has all guides in one file', async () => {
    const { headers, text } = await read('/llms-full.txt');

    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const name of names) expect(text).toContain((await read(`/docs/guides/${name}.md`)).text);
    expect(await findBrokenLinks(text, '/llms-full.txt')).toEqual([]);
  });
});

describe('A guide as Markdown', () => {
  it.each(names)('is at the address of its page with .md, and its links are valid there: %s', async (name) => {
    const path = `/docs/guides/${name}.md`;
    const { status, headers, text } = await read(path);

    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(text).toMatch(/^# /);
    expect(await findBrokenLinks(text, path)).toEqual([]);
  });

  it('keeps the public address of the service in its links and commands', async () => {
    const prefixed = await startService({ PUBLIC_URL: 'https://example.com/api' });
    const { text } = await prefixed.createApi().get('/docs/guides/errors.md');
    await prefixed.stop();

    expect(text).toContain('curl -s https://example.com/api/v1/');
    expect(text).toContain('(https://example.com/api/docs/guides/idempotency.md)');
    expect(text).toContain('(https://example.com/api/problems)');
  });

  it('does not exist under another name', async () => {
    for (const name of ['nonsense.md', 'constructor.md', 'errors.md.md', 'errors.txt'])
      expect([name, (await read(`/docs/guides/${name}`)).status]).toEqual([name, 404]);
  });
});
