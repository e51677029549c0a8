import { randomInt } from 'node:crypto';
import { ON_EXTERNAL_STORES } from '../support/external-stores/external-stores.js';
import { testInvariants } from './invariant-tests.js';
import { Trial } from './trial.js';
import type { TrialResults } from './trial-results.js';

const TAKEOVER_MS = 20_000;
/** A low load, so that the machine's speed does not affect the measurement. */
const CUSTOMERS = 2;
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;
/** The test takes long, so only `npm run test:faults` and `npm run test:stores` run it. */
const isWanted = process.env.FAULT_KILLS !== undefined || ON_EXTERNAL_STORES;

if (!isWanted) process.stderr.write('Skipped: takeovers (npm run test:faults)\n');

(isWanted ? describe : describe.skip)(
  `A group of processes with three roles, each killed once and stopped for longer than its leases (FAULT_SEED=${SEED})`,
  () => {
    let trial: Trial;
    let findings: TrialResults;
    beforeAll(async () => {
      trial = await Trial.start({ roles: ['all', 'projector', 'dispatcher'], customers: CUSTOMERS, seed: SEED });
      findings = await trial.runWithTakeovers();
    }, 6 * MINUTES);
    afterAll(() => trial.end());

    it('takes over the work of a missing process soon', () => {
      process.stderr.write(`takeovers completed within ${findings.takeovers.join(', ')} ms\n`);
      expect(Math.max(...findings.takeovers)).toBeLessThan(TAKEOVER_MS);
    });

    testInvariants(() => ({ findings, evidence: trial.evidence }));
  },
);
