import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
/** Its test reads what the features declare, and loads none of them. */
const SPEC = ['test/audit/verification/tampered-store.spec.ts', '--testNamePattern', 'nobody has changed'];

it('finds the declarations of all areas in a spec that runs alone', async () => {
  const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', '--runInBand', ...SPEC];
  const { stderr } = await promisify(execFile)(process.execPath, jest, { cwd: ROOT });

  expect(stderr).toContain('1 passed');
});
