import { randomInt } from 'node:crypto';
import { type Crash, CRASH_POINTS, type CrashPoint } from '../../src/kernel/crash-points.js';
import { SeededRandom } from '../support/clock.js';
import { testInvariants } from './invariant-tests.js';
import { Trial } from './trial.js';
import type { TrialResults } from './trial-results.js';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 1);
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;
const MAX_CRASH_MS = 75_000;

/** The crash point is hit at most this many times before the crash. */
const MAX_HITS = 12;
/** Crash points that a process reaches less often. */
const RARE: Partial<Record<CrashPoint, number>> = {
  'during-rotation': 2,
  'during-lease-renewal': 5,
  'mid-export': 2,
  'during-shutdown': 1,
};
/** Builds have separate tests. */
const TESTED_SEPARATELY: readonly CrashPoint[] = ['during-build-switch'];

const random = new SeededRandom(SEED);
const points = CRASH_POINTS.filter((point) => !TESTED_SEPARATELY.includes(point));
const rounds = Array.from({ length: ROUNDS }, (_, i) => ({ seed: SEED + i, crashes: points.map(createCrash) }));

describe.each(rounds)(
  `A service that crashed at every crash point (FAULT_SEED=${SEED}, round $#)`,
  ({ seed, crashes }) => {
    let trial: Trial;
    let findings: TrialResults;
    beforeAll(
      async () => {
        trial = await Trial.start({ seed });
        findings = await trial.runWithCrashes(crashes);
      },
      3 * MINUTES + crashes.length * MAX_CRASH_MS,
    );
    afterAll(() => trial.end());

    it('crashed at each crash point', () => expect(findings.missedCrashPoints).toEqual([]));

    testInvariants(() => ({ findings, evidence: trial.evidence }));
  },
);

function createCrash(point: CrashPoint): Crash {
  return { point, hit: 1 + Math.floor(random.next() * (RARE[point] ?? MAX_HITS)) };
}
