import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const JEST = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const TIMEOUT_MS = 60_000;

describe('A run of the contracts', () => {
  it(
    'prints every store that fulfils a contract, and every unavailable one, to standard error',
    async () => {
      const specs = [
        'test/stores/memory.spec',
        'test/stores/eventstoredb/eventstoredb.spec',
        '-t',
        'The log on the memory',
      ];
      const env = { ...process.env, TEST_EVENT_STORE: '' };
      const { stderr } = await promisify(execFile)(process.execPath, [...JEST, ...specs], {
        cwd: ROOT,
        env,
        timeout: TIMEOUT_MS,
      });

      expect(stderr).toContain('kept: The log on the memory\n');
      expect(stderr).toContain('skipped: The log on EventStoreDB (TEST_EVENT_STORE): it is not set\n');
      expect(stderr).not.toContain('kept: Jobs');
    },
    TIMEOUT_MS,
  );
});
