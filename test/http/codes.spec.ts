import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode, statusOf, titleOf } from '../../src/http/codes.js';

const SRC = join(import.meta.dirname, '../../src');
const RAISED = /new Rejection\(\s*'([a-z_]+)'|Rejection\.of\(\s*'([a-z_]+)'/g;

async function codesInSource(): Promise<Set<string>> {
  const files = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join(SRC, name), 'utf8')));
  return new Set(texts.flatMap((text) => [...text.matchAll(RAISED)].map(([, one, other]) => (one ?? other)!)));
}

describe('The table of codes', () => {
  it('contains every code that the service raises', async () => {
    const codes = [...(await codesInSource())];

    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !isCode(code))).toEqual([]);
  });

  it('maps an unknown code to an internal error', () => {
    expect([statusOf('constructor'), titleOf('nonsense')]).toEqual([500, 'Internal error']);
  });
});
