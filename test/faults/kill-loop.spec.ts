import { randomInt } from 'node:crypto';
import type { Recorded } from '../../src/kernel/event.js';
import type { Received } from '../support/receiver.js';
import { theInvariantsHold } from './findings.js';
import { TEMPERS } from './tempers.js';
import { Trial } from './trial.js';
import type { Findings } from './trial-findings.js';

const KILLS = Number(process.env.FAULT_KILLS ?? 5);
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;
const ENOUGH_KILLS = 30;
/** Events that the load and the kills must cause; otherwise the invariants prove little. */
const OCCASIONS = [
  'AttemptLost',
  'ChainMissed',
  'ChainAbandoned',
  'SecretRotated',
  'EndpointDeleted',
  'TestEventRequested',
  'ReplayJobCompleted',
  'ChainHeld',
];

const hasEnough = KILLS >= ENOUGH_KILLS;
if (!hasEnough) console.log(`Skipped: "covers all occasions", because it needs at least ${ENOUGH_KILLS} kills instead of ${KILLS}.`);

describe(`A service that was killed ${KILLS} times under load (FAULT_SEED=${SEED})`, () => {
  let trial: Trial;
  let findings: Findings;
  beforeAll(
    async () => {
      trial = await Trial.begin({ seed: SEED });
      findings = await trial.run(
        KILLS,
        (seen, requests) => !hasEnough || (missingTypes(seen).length === 0 && unheard(requests).length === 0),
      );
    },
    3 * MINUTES + 2 * KILLS * 10_000,
  );
  afterAll(() => trial.end());

  theInvariantsHold(() => ({ findings, evidence: trial.evidence }));

  (hasEnough ? it : it.skip)('covers all occasions', () => {
    expect(missingTypes(findings.log)).toEqual([]);
    expect(unheard(findings.requests)).toEqual([]);
  });
});

function missingTypes(log: readonly Recorded[]): string[] {
  const types = new Set(log.map(({ type }) => type));
  return OCCASIONS.filter((type) => !types.has(type));
}

function unheard(requests: readonly Received[]): string[] {
  const heard = new Set(requests.map(({ path }) => path));
  return TEMPERS.filter(({ path }) => !heard.has(path)).map(({ path }) => path);
}
