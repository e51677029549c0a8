/*
 * The tables of docs/api.md are generated from the code. After a change of it, run:
 *   WRITE_DOCS=1 npm test -- test/docs
 */
import '../../src/features.js';
import { join } from 'node:path';
import { PROBLEM_CODES, type ProblemCode, statusFor, titleFor } from '../../src/http/problems/problem-codes.js';
import { PROBLEM_TEXTS } from '../../src/http/problems/problem-texts.js';
import type { REPEATS } from '../../src/http/problems/texts/problem-text.js';
import { listEventTypes } from '../../src/webhooks/event-catalogue.js';
import { expectSection, toTable } from './generated-section.js';

const FILE = join(import.meta.dirname, '../../docs/api.md');
const SHORT_REPEATS: Readonly<Record<keyof typeof REPEATS, string>> = {
  never: 'no',
  corrected: 'corrected',
  afterChange: 'after this change',
  soon: 'after a short wait',
  later: 'after `Retry-After`',
  laterIfPossible: 'if `Retry-After` is sent',
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
    listEventTypes().map(({ id, description, sent }) => [`\`${id}\``, description, sent ? 'yes' : 'not yet']),
  ),
};

describe('The documentation of the API', () => {
  it.each(Object.entries(SECTIONS))('lists the existing %s', (name, lines) => expectSection(FILE, name, lines));
});
