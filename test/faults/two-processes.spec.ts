import { randomInt } from 'node:crypto';
import { theInvariantsHold } from './findings.js';
import { Trial } from './trial.js';
import type { Findings } from './trial-findings.js';

const KILLS = 6;
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;

describe(`A group of two processes on one store, killed in turn (FAULT_SEED=${SEED})`, () => {
  let trial: Trial;
  let findings: Findings;
  beforeAll(async () => {
    trial = await Trial.begin({ roles: ['all', 'all'], seed: SEED });
    findings = await trial.run(KILLS);
  }, 4 * MINUTES);
  afterAll(() => trial.end());

  theInvariantsHold(() => ({ findings, evidence: trial.evidence }));
});
