import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { INHERITED } from './service-process.ts';

const OPS = join(import.meta.dirname, '../../dist/operations/cli/ops.js');

/** Runs the built command line as an operator does and returns the document it prints. */
export async function runOps<T>(dataDir: string, ...words: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', OPS, ...words, '--json'],
    {
      env: { ...INHERITED, DATA_DIR: dataDir },
    },
  );
  return JSON.parse(stdout) as T;
}

/** @param more further arguments, such as `--reviewer` */
export async function signSessionToken(
  dataDir: string,
  subject: string,
  email: string,
  ...more: string[]
): Promise<string> {
  const { token } = await runOps<{ token: string }>(
    dataDir,
    'tokens',
    'sign',
    '--sub',
    subject,
    '--email',
    email,
    ...more,
  );
  return token;
}
