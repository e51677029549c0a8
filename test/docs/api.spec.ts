/*
 * The tables of docs/api.md are generated from the code and from test/operations.json. After a change of either, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adviceFor } from '../../src/http/problems/code-advice.js';
import { PROBLEM_CODES, type ProblemCode, statusFor, titleFor } from '../../src/http/problems/problem-codes.js';
import { EVENT_TYPES } from '../../src/webhooks/event-catalogue.js';
import { type Service, startService } from '../support/service.js';
import { expectSection, toTable } from './generated-section.js';

const FILE = join(import.meta.dirname, '../../docs/api.md');
const OPERATIONS = join(import.meta.dirname, '../operations.json');

type Listed = Readonly<Record<string, Readonly<Record<string, { readonly served: boolean }>>>>;

const listed = JSON.parse(await readFile(OPERATIONS, 'utf8')) as Listed;
const notServed = Object.values(listed)
  .flatMap(Object.entries<{ readonly served: boolean }>)
  .filter(([, { served }]) => !served)
  .map(([name]) => name);

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  codes: toTable(
    ['status', 'code', 'means', 'what to do', 'repeat?'],
    (Object.keys(PROBLEM_CODES) as ProblemCode[]).map((code) => {
      const { action, repeat } = adviceFor(code);
      return [String(statusFor(code)), `\`${code}\``, titleFor(code), action, repeat];
    }),
  ),
  events: toTable(
    ['type', 'when', 'sent today'],
    EVENT_TYPES.map(({ id, description, sent }) => [`\`${id}\``, description, sent ? 'yes' : 'not yet']),
  ),
  'not-served': notServed.map((name) => `- \`${name}\``),
};

describe('The documentation of the API', () => {
  it.each(Object.entries(SECTIONS))('lists the existing %s', (name, lines) => expectSection(FILE, name, lines));

  describe('lists operations that are not served', () => {
    let service: Service;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service.stop());

    it('and that the service rejects as unknown', async () => {
      const key = service.createApi(await service.createKey(await service.createBusiness()));
      const answered: [string, number][] = [];
      for (const name of notServed) {
        const [method, path] = name.split(' ') as [string, string];
        const { status } = await key.send(method, path.replaceAll(/\{\w+\}/g, 'none_1'));
        if (status !== 404 && status !== 405) answered.push([name, status]);
      }

      expect(answered).toEqual([]);
      expect(notServed).not.toEqual([]);
    });
  });
});

describe('The base address of the service', () => {
  it('links to the OpenAPI document', async () => {
    const service = await startService();
    const { status, body } = await service.createApi().get('/');
    const [described, page] = [
      await service.createApi().get('/openapi.json'),
      await service.createApi().get('/problems/idempotency_key_conflict'),
    ];
    await service.stop();

    expect([status, body.data.openapi_url, described.status]).toEqual([200, `${service.url}/openapi.json`, 200]);
    expect(page.text).toContain('Can the request be sent again?');
    expect(page.text).toContain(adviceFor('idempotency_key_conflict').repeat);
  });

  it('links to a page with every operation and every code, which any origin may read and which runs no script', async () => {
    const service = await startService();
    const { docs_url } = (await service.createApi().get('/')).body.data;
    const page = await fetch(docs_url as string);
    const [text, { paths }] = [await page.text(), (await service.createApi().get('/openapi.json')).body];
    await service.stop();

    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('access-control-allow-origin')).toBe('*');
    for (const [path, methods] of Object.entries<object>(paths))
      for (const method of Object.keys(methods)) expect(text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
    expect(text).toContain('<a href="/problems/idempotency_key_conflict">');
    expect(text).not.toMatch(/<script|undefined|\[object Object\]/);
  });

  it('has advice on every code', () => {
    expect(
      (Object.keys(PROBLEM_CODES) as ProblemCode[]).filter((code) => adviceFor(code).action === undefined),
    ).toEqual([]);
  });
});
