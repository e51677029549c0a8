import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './runtime.mjs';

export const jest = ['node_modules/jest/bin/jest.js'];
/** The file system in memory on Linux. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 2 ** 30;

/** Tests that take minutes. `npm run test:faults` runs them, and so does their name as an argument. */
const LONG = ['test/faults', 'test/simulation/mutations\\.spec'];
/** A pattern on the command line replaces those of the configuration. */
const BROWSER = 'test/browser/';

/** Runs the tests with their stores in memory when there is space, because a disk takes 1 ms to flush each commit. */
export function test(given = []) {
  const args = [...given, ...(given.every((word) => word.startsWith('-')) ? withoutLong() : [])];
  if (!hasRoom()) return own([...jest, ...args]);
  const TMPDIR = mkdtempSync(join(MEMORY, 'tests-'));
  return own([...jest, ...args], { env: { TMPDIR }, end: () => rmSync(TMPDIR, { recursive: true, force: true }) });
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
