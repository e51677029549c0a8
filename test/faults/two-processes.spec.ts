import { randomInt } from 'node:crypto';
import { testInvariants } from './invariant-tests.js';
import { Trial } from './trial.js';
import type { TrialResults } from './trial-results.js';

const KILLS = 6;
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;

describe(`A group of two processes on one store, killed in turn (FAULT_SEED=${SEED})`, () => {
  let trial: Trial;
  let findings: TrialResults;
  beforeAll(async () => {
    trial = await Trial.start({ roles: ['all', 'all'], seed: SEED });
    findings = await trial.runWithKills(KILLS);
  }, 4 * MINUTES);
  afterAll(() => trial.end());

  testInvariants(() => ({ findings, evidence: trial.evidence }));
});
