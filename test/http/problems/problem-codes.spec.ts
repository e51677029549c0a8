import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isProblemCode, statusFor, titleFor } from '../../../src/http/problems/problem-codes.js';

const SRC = join(import.meta.dirname, '../../../src');
const RAISED = /new Rejection\(\s*'([a-z_]+)'|Rejection\.of\(\s*'([a-z_]+)'/g;

async function findCodesInSource(): Promise<Set<string>> {
  const files = (await readdir(SRC, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const texts = await Promise.all(files.map((name) => readFile(join(SRC, name), 'utf8')));
  return new Set(texts.flatMap((text) => [...text.matchAll(RAISED)].map(([, one, other]) => (one ?? other)!)));
}

describe('The table of codes', () => {
  it('contains every code that the service raises', async () => {
    const codes = [...(await findCodesInSource())];

    expect(codes.length).toBeGreaterThan(20);
    expect(codes.filter((code) => !isProblemCode(code))).toEqual([]);
  });

  it('maps an unknown code to an internal error', () => {
    expect([statusFor('constructor'), titleFor('nonsense')]).toEqual([500, 'Internal error']);
  });
});
