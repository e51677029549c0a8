/*
 * The tables of docs/api.md are generated from the code and from test/operations.json. After a change of either, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROBLEM_CODES, type ProblemCode, statusFor, titleFor } from '../../src/http/problems/problem-codes.js';
import { PROBLEM_TEXTS } from '../../src/http/problems/problem-texts.js';
import type { REPEATS } from '../../src/http/problems/texts/problem-text.js';
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

const SHORT_REPEATS: Readonly<Record<keyof typeof REPEATS, string>> = {
  never: 'no',
  corrected: 'corrected',
  afterChange: 'after this change',
  soon: 'after a short wait',
  later: 'after `Retry-After`',
  sameKey: 'yes',
  newKey: 'with a new key',
};

const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  codes: toTable(
    ['status', 'code', 'means', 'what to do', 'repeat?'],
    (Object.keys(PROBLEM_CODES) as ProblemCode[]).map((code) => {
      const { action, repeat } = PROBLEM_TEXTS[code];
      return [String(statusFor(code)), `\`${code}\``, titleFor(code), action, SHORT_REPEATS[repeat]];
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
    });
  });
});
