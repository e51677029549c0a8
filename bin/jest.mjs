import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './runtime.mjs';

export const jest = ['node_modules/jest/bin/jest.js'];
/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 2 ** 30;

/** What takes minutes, and is run by `npm run test:faults`, and by name. */
const LONG = [
  'test/faults/(attempt-under-way|drain|leader-changes|rebuild|replay-job|stores-away|takeover|two-processes)',
  'test/simulation/planted\\.spec',
];

/** Runs the tests with their stores in memory where there is room: every commit waits until its data are flushed, which takes a disk 1 ms. */
export function test(given = []) {
  const args = [...given, ...(given.every((word) => word.startsWith('-')) ? withoutLong() : [])];
  if (!hasRoom()) return own([...jest, ...args]);
  const TMPDIR = mkdtempSync(join(MEMORY, 'tests-'));
  return own([...jest, ...args], { env: { TMPDIR }, end: () => rmSync(TMPDIR, { recursive: true, force: true }) });
}

function withoutLong() {
  console.error(`Left to npm run test:faults: ${LONG.join(' ')}`);
  return LONG.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
