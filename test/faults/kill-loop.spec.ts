import { randomInt } from 'node:crypto';
import type { RecordedEvent } from '../../src/kernel/event.js';
import type { ReceivedRequest } from '../support/receiver.js';
import { testInvariants } from './invariant-tests.js';
import { RECEIVER_BEHAVIOURS } from './receiver-behaviours.js';
import { Trial } from './trial.js';
import type { TrialResults } from './trial-results.js';

const KILLS = Number(process.env.FAULT_KILLS ?? 5);
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;
const ENOUGH_KILLS = 30;
/** Events that the load and the kills must cause; otherwise the invariants prove little. */
const OCCASIONS = [
  'AttemptLost',
  'DeliveryChainMissed',
  'DeliveryChainAbandoned',
  'SecretRotated',
  'EndpointDeleted',
  'TestEventRequested',
  'ReplayJobCompleted',
  'DeliveryChainHeld',
  'AuditExportCompleted',
];

const hasEnough = KILLS >= ENOUGH_KILLS;
if (!hasEnough)
  console.log(`Skipped: "covers all occasions", because it needs at least ${ENOUGH_KILLS} kills instead of ${KILLS}.`);

describe(`A service that was killed ${KILLS} times under load (FAULT_SEED=${SEED})`, () => {
  let trial: Trial;
  let findings: TrialResults;
  beforeAll(
    async () => {
      trial = await Trial.start({ seed: SEED });
      findings = await trial.runWithKills(
        KILLS,
        (seen, requests) =>
          !hasEnough || (findMissingTypes(seen).length === 0 && findUnusedReceivers(requests).length === 0),
      );
    },
    3 * MINUTES + 2 * KILLS * 10_000,
  );
  afterAll(() => trial.end());

  testInvariants(() => ({ findings, evidence: trial.evidence }));

  (hasEnough ? it : it.skip)('covers all occasions', () => {
    expect(findMissingTypes(findings.log)).toEqual([]);
    expect(findUnusedReceivers(findings.requests)).toEqual([]);
  });
});

function findMissingTypes(log: readonly RecordedEvent[]): string[] {
  const types = new Set(log.map(({ type }) => type));
  return OCCASIONS.filter((type) => !types.has(type));
}

function findUnusedReceivers(requests: readonly ReceivedRequest[]): string[] {
  const heard = new Set(requests.map(({ path }) => path));
  return RECEIVER_BEHAVIOURS.filter(({ path }) => !heard.has(path)).map(({ path }) => path);
}
