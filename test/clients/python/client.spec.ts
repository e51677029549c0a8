import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Service, startService } from '../../support/service.js';
import { Python } from './python.js';

const CLIENT = join(import.meta.dirname, '../../../clients/python');
const FILES = readdirSync(join(CLIENT, 'tests')).filter((name) => name.startsWith('test_'));
const TIMEOUT_MS = 120_000;

const run = promisify(execFile);
const python = new Python();
// Jest does not report a file whose tests are all skipped.
if (python.missing !== null) process.stderr.write(`skipped: the Python client: ${python.missing}\n`);

(python.missing === null ? describe : describe.skip)(
  `The Python client${python.missing === null ? '' : ` (skipped: ${python.missing})`}`,
  () => {
    let service: Service;
    let environment: NodeJS.ProcessEnv;
    beforeAll(async () => {
      service = await startService();
      const business = await service.createBusiness();
      environment = {
        PATH: process.env.PATH,
        TMPDIR: process.env.TMPDIR,
        PYTHONPATH: join(CLIENT, 'src'),
        PYTHONDONTWRITEBYTECODE: '1',
        BASE_URL: service.url,
        API_KEY: await service.createKey(business, { mode: 'test' }),
        REVIEWER_TOKEN: await service.signToken('reviewer', { reviewer: true }),
      };
    });
    afterAll(async () => {
      await service.stop();
      python.remove();
    });

    /** Runs a program of Python. Its output is the message of its failure. */
    async function runPython(...args: readonly string[]): Promise<string> {
      const { stdout, stderr } = await run(python.program, args, {
        cwd: CLIENT,
        env: environment,
        timeout: TIMEOUT_MS,
      }).catch((failure: { stdout: string; stderr: string }) =>
        Promise.reject(new Error(failure.stdout + failure.stderr)),
      );
      return stdout + stderr;
    }

    it.each(FILES)(
      'passes %s',
      async (file) => {
        const output = await runPython('-m', 'unittest', `tests.${file.replace('.py', '')}`);

        expect(output).toMatch(/^Ran [1-9]\d* tests/m);
        expect(output).toMatch(/^OK$/m);
      },
      TIMEOUT_MS,
    );
  },
);
