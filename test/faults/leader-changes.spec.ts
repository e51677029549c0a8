import { randomInt } from 'node:crypto';
import { SeededRandom } from '../support/clock.js';
import { ClusterStores } from '../support/external-stores/cluster-stores.js';
import { findFreePort } from '../support/free-port.js';
import { findUnjustifiedRejections } from '../support/invariants/rejections.js';
import { MongoJava } from '../support/mongo-java/mongo-java.js';
import { testInvariants } from './invariant-tests.js';
import { LeaderChanges } from './leader-changes.js';
import { Trial } from './trial.js';
import type { TrialResults } from './trial-results.js';

const CHANGES = Number(process.env.FAULT_CHANGES ?? 0);
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const CUSTOMERS = 3;
const RECOVERED_MS = 6_000;
const MINUTES = 60_000;
const SKIPPED = CHANGES === 0 ? 'FAULT_CHANGES sets their number' : MongoJava.missing;

if (SKIPPED !== null) process.stderr.write(`Skipped: changes of the leader of a cluster (${SKIPPED})\n`);

(SKIPPED === null ? describe : describe.skip)(
  `Two processes on a cluster that changes its leader ${CHANGES} times (FAULT_SEED=${SEED}, FAULT_CHANGES=${CHANGES})`,
  () => {
    let stores: ClusterStores;
    let trial: Trial;
    let changes: LeaderChanges;
    let findings: TrialResults;
    beforeAll(
      async () => {
        const opsPorts = [await findFreePort(), await findFreePort()];
        const open = async (folder: string) => (stores = await ClusterStores.open(folder));
        trial = await Trial.start({
          roles: ['all', 'all'],
          customers: CUSTOMERS,
          toleratesErrors: true,
          open,
          opsPorts,
          seed: SEED,
        });
        changes = new LeaderChanges(stores.cluster, trial, new SeededRandom(SEED), opsPorts);
        findings = await trial.runWithInterruptions(changes.plan(CHANGES, process.env.FAULT_KIND));
        for (const { name, recoveryMs } of changes.done)
          process.stderr.write(`${name}: ${recoveryMs} ms from the election to a write\n`);
      },
      4 * MINUTES + CHANGES * 20_000,
    );
    afterAll(() => trial.end());

    testInvariants(() => ({ findings, evidence: trial.evidence }));

    it('keeps every process running', () => {
      expect(findings.unexpectedEnds).toEqual([]);
    });

    it('sends no 404, 409 or 422 that the log does not justify', () => {
      expect(findUnjustifiedRejections(findings.rejections, findings.log)).toEqual([]);
      expect(findings.unexpectedErrors).toEqual([]);
    });

    it('acknowledges writes again within 6 s of each election, except when a process must restart', () => {
      const elected = changes.done.filter(({ name }) => !name.includes('a process killed'));
      expect(elected.filter(({ recoveryMs }) => recoveryMs !== null && recoveryMs > RECOVERED_MS)).toEqual([]);
    });

    it('reports the unavailable part in its readiness', () => {
      expect(new Set(changes.readiness)).toEqual(
        new Set(changes.readiness.length === 0 ? [] : ['event_store red, read_models green']),
      );
    });
  },
);
