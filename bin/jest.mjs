import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { own, root } from './runtime.mjs';
import { limitMs, PROGRESS_FILE, watchProgress } from './test-limit.mjs';

const JEST = 'node_modules/jest/bin/jest.js';
/** The file to which the Jest workers write the codes that the operations answer. Absent: they are not checked. */
const ANSWERS_FILE = 'ANSWERED_CODES_FILE';
/** Where Node keeps compiled modules between runs, for the Jest workers and the processes that the tests start. */
const COMPILED = join(root, 'node_modules/.cache/compiled-modules');
/** The file system in memory on Linux. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 2 ** 30;

/** Tests that take minutes. `npm run test:faults` runs them, and so does their name as an argument. */
const LONG = ['test/faults', 'test/lives/mutations\\.spec', 'test/simulation/mutations\\.spec'];
/** A pattern on the command line replaces those of the configuration. */
const BROWSER = 'test/browser/';

/** Runs the tests of `npm test`. A run of all of them also checks which codes the operations have answered. */
export const test = (given = []) =>
  jest([...given, ...(given.every((word) => word.startsWith('-')) ? withoutLong() : [])], {}, given.length === 0);

/**
 * Runs Jest and resolves to its exit code. The stores of the tests are in memory when there is space, because a disk takes
 * 1 ms to flush each commit, and seconds when it is busy. A killed process loses nothing there either.
 */
export function jest(args, env = {}, isWhole = false) {
  if (args.some((word) => word.startsWith('--watch'))) return own([JEST, ...args], { env });
  const folder = mkdtempSync(join(hasRoom() ? MEMORY : tmpdir(), 'tests-'));
  const file = join(folder, 'progress');
  return own([JEST, ...args], {
    env: {
      TMPDIR: folder,
      NODE_COMPILE_CACHE: COMPILED,
      [PROGRESS_FILE]: file,
      ...(isWhole && { [ANSWERS_FILE]: join(folder, 'answers') }),
      ...env,
    },
    watch: (stop) => watchProgress(file, limitMs(), stop),
    end: () => rmSync(folder, { recursive: true, force: true }),
  });
}

function withoutLong() {
  console.error(`Run only by npm run test:faults: ${LONG.join(' ')}`);
  return [...LONG, BROWSER].map((pattern) => `--testPathIgnorePatterns=${pattern}`);
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
