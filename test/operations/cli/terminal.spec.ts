import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommandLine } from '../../support/command-line.js';
import { seedBusinesses } from '../support/seed-businesses.js';

const OPS = join(import.meta.dirname, '../../../dist/operations/cli/ops.js');
const BUSINESSES = 3_000;
const COMMAND = 'projections rebuild businesses';
const TIMEOUT_MS = 120_000;
/** Runs a command on a new pseudo-terminal, and copies its output. */
const ON_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';
/** A new terminal has no width. */
const WIDE = 'stty cols 200 rows 50; exec "$@"';
const HAS_TERMINAL = spawnSync('python3', ['-c', 'import os, pty; os.waitstatus_to_exitcode']).status === 0;
const ESCAPE = '\u001b';
const BAR = /businesses {2}█+░* {2}100 % {2}[\d,]+ events, [\d,]+ a second/;

if (!HAS_TERMINAL) process.stderr.write('Skipped without python3: the progress bar on a terminal\n');

describe('The progress of a long command', () => {
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'ops-terminal-'));
    await new CommandLine(directory).runForDocument('businesses create --name Acme --owner-sub ann');
    await seedBusinesses(directory, BUSINESSES);
  }, TIMEOUT_MS);
  afterAll(() => rmSync(directory, { recursive: true }));

  (HAS_TERMINAL ? it : it.skip)(
    'is a bar on a terminal, without plain lines',
    async () => {
      const { stdout } = await promisify(execFile)(
        'python3',
        [
          '-c',
          ON_TERMINAL,
          'sh',
          '-c',
          WIDE,
          'sh',
          process.execPath,
          '--disable-warning=ExperimentalWarning',
          OPS,
          ...COMMAND.split(' '),
        ],
        { env: { PATH: process.env.PATH, DATA_DIR: directory, TERM: 'xterm' } },
      );

      expect(stdout).toContain(ESCAPE);
      expect(stdout).toMatch(BAR);
      expect(stdout).not.toMatch(/^businesses {2}\d+ %/m);
      expect(stdout).toMatch(/businesses@\d+#\d+ is ready and used by reads/);
    },
    TIMEOUT_MS,
  );

  it(
    'is plain lines on a pipe, and the result is on standard output only',
    async () => {
      const { exitCode, out, err } = await new CommandLine(directory).start(COMMAND).result;

      expect([exitCode, out]).toEqual([0, expect.stringMatching(/^businesses@\d+#\d+ is ready and used by reads\n$/)]);
      expect(err).toMatch(/^businesses {2}100 % {2}[\d,]+ events, [\d,]+ a second\n$/m);
      expect(err + out).not.toMatch(/[█░]/);
      expect(err + out).not.toContain(ESCAPE);
    },
    TIMEOUT_MS,
  );
});
