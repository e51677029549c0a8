import { PROBLEM_CODES, type ProblemCode, titleFor } from '../../../src/http/problems/problem-codes.js';
import { PROBLEM_TEXTS } from '../../../src/http/problems/problem-texts.js';
import { type Service, startService } from '../../support/service.js';

const CODES = Object.keys(PROBLEM_CODES) as ProblemCode[];
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('The text of a problem code', () => {
  it('is its own', () => {
    const meanings = CODES.map((code) => PROBLEM_TEXTS[code].meaning);

    expect(Object.keys(PROBLEM_TEXTS).sort()).toEqual([...CODES].sort());
    expect(meanings.filter((text, i) => meanings.indexOf(text) !== i)).toEqual([]);
  });

  it('consists of sentences', () =>
    expect(
      CODES.flatMap((code) => [PROBLEM_TEXTS[code].meaning, PROBLEM_TEXTS[code].action]).filter(
        (text) => !/^[A-Z`].*[.]$/.test(text),
      ),
    ).toEqual([]));
});

describe('The page about a problem code', () => {
  it('is at the type of each problem document', async () => {
    const { body } = await service.createApi().get('/v1/auth/me');
    const page = await fetch(body.type as string);

    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Send <code>Authorization: Bearer &lt;token></code>');
  });

  it('has the title, the meaning, the action and the rule for repeating of each code', async () => {
    for (const code of CODES) {
      const { status, text } = await service.createApi().get(`/problems/${code}`);

      expect([code, status]).toEqual([code, 200]);
      for (const part of [`<h1>${titleFor(code)}`, 'What it means', 'What to do', 'Can the request be sent again?'])
        expect(text).toContain(part);
      expect(text).not.toMatch(/<script|undefined|\[object Object\]/);
    }
  });

  it('does not exist for an unknown code', async () => {
    for (const path of ['/problems/nonsense', '/problems/constructor']) {
      const [page, problem] = [await service.createApi().get(path, BROWSER), await service.createApi().get(path)];

      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('Unknown problem');
      expect([problem.status, problem.body.code]).toEqual([404, 'not_found']);
    }
  });

  it('is listed with all others', async () => {
    const { text } = await service.createApi().get('/problems', BROWSER);

    expect(CODES.filter((code) => !text.includes(`href="/problems/${code}"`))).toEqual([]);
  });
});

describe('The base address of the service', () => {
  it('answers with links, as JSON to clients and as a page to browsers', async () => {
    const [links, page] = [await service.createApi().get('/'), await service.createApi().get('/', BROWSER)];

    expect([links.status, links.body.data.docs_url]).toEqual([200, `${service.url}/docs`]);
    expect((await service.createApi().get('/', { accept: '*/*' })).body).toEqual(links.body);
    expect([page.status, page.headers.get('content-type'), page.headers.get('vary')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    for (const [, path] of page.text.matchAll(/href="([^"]+)"/g))
      expect([path, (await service.createApi().get(path!)).status]).toEqual([path, 200]);
  });
});
