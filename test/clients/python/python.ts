import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OLDEST = '(3, 10)';
const TIMEOUT_MS = 60_000;

/** A Python with httpx, or the reason why it is missing. */
export class Python {
  readonly program: string = 'python3';
  readonly missing: string | null = null;
  readonly #folder: string | null = null;

  /** Uses the installed Python when it has httpx, and otherwise installs httpx into a temporary folder. */
  constructor() {
    if (!succeeds('python3', '-c', `import sys; assert sys.version_info >= ${OLDEST}`)) {
      this.missing = `there is no python3 of version ${OLDEST} or later`;
    } else if (!succeeds('python3', '-c', 'import httpx')) {
      this.#folder = mkdtempSync(join(tmpdir(), 'python-'));
      this.program = join(this.#folder, 'bin/python');
      const isInstalled =
        succeeds('python3', '-m', 'venv', this.#folder) && succeeds(this.program, '-m', 'pip', 'install', 'httpx');
      if (!isInstalled) this.missing = 'python3 -m venv or pip install httpx failed';
    }
  }

  remove(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
  }
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore', timeout: TIMEOUT_MS });
    return true;
  } catch {
    return false;
  }
}
