import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { collectionOf } from '../../src/kernel/projection.js';
import type { CommandResult } from '../support/command-line.js';
import { findUnexpectedRequests } from '../support/invariants/deliveries.js';
import { findDriftedDocuments } from '../support/invariants/read-models.js';
import { RebuildScenario } from './rebuild-scenario.js';

const EVENTS = Number(process.env.FAULT_EVENTS ?? 0);
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;
const QUIET_MS = 2_000;
const ROLLED_BACK = ['products', 'posts', 'deliveries'];

if (EVENTS === 0) process.stderr.write('Skipped: a rebuild under load (FAULT_EVENTS sets the number of events)\n');

(EVENTS === 0 ? describe.skip : describe)(
  `A rebuild of every projection of at least ${EVENTS} events during 200 writes a second (FAULT_SEED=${SEED})`,
  () => {
    let scenario: RebuildScenario;
    let second: CommandResult;
    let killed: CommandResult;
    let diedAtSwitch: CommandResult;
    let rebuilt: readonly { readonly projection: string; readonly build: string; readonly active: boolean }[];
    let drifted: readonly string[];
    let driftedAfterRollback: readonly string[];
    let open: readonly string[];
    let log: readonly RecordedEvent[];

    beforeAll(
      async () => {
        scenario = await RebuildScenario.start(EVENTS, SEED);
        const { backgroundLoad, ops, evidence } = scenario;
        await delay(QUIET_MS);
        const without = backgroundLoad.takeMeasurement();

        diedAtSwitch = await ops.run('projections rebuild posts', { CRASH_AT: 'during-build-switch' });
        second = await scenario.startTwice();
        killed = await scenario.killInTheMiddle();
        ({ rebuilt } = await ops.runForDocument('projections rebuild --all'));
        const beside = backgroundLoad.takeMeasurement();
        console.log(
          `p99 of a durable POST, ms: ${without.p99} without a rebuild (${without.writes}), ${beside.p99} during a rebuild (${beside.writes})`,
        );

        await backgroundLoad.stop();
        open = await scenario.waitUntilDone();
        log = await evidence.readLog();
        drifted = await findDriftedDocuments(evidence, log);
        for (const projection of ROLLED_BACK) await ops.runForDocument(`projections rollback ${projection}`);
        driftedAfterRollback = await findDriftedDocuments(evidence, log);
      },
      5 * MINUTES + EVENTS * 12,
    );
    afterAll(() => scenario.end());

    it('creates and activates a new build of every projection', () => {
      expect(rebuilt.map(({ projection }) => projection)).toEqual(
        scenario.evidence.registry.projections.map(collectionOf).sort(),
      );
      expect(rebuilt.filter(({ active }) => !active)).toEqual([]);
    });

    it('fails no read and no write', () => expect(scenario.backgroundLoad.failures).toEqual([]));

    it('is refused while another rebuild runs', () => {
      expect(second.exitCode).toBe(1);
      expect(second.err).toMatch(/^another process works on posts@\d+#\d+\n$/m);
    });

    it('continues after it was killed in the middle and at the switch', () =>
      expect([killed.exitCode, diedAtSwitch.exitCode]).toEqual([null, null]));

    it('finishes all work', () => expect(open).toEqual([]));

    it('serves documents that are exact folds of the log', () => expect(drifted).toEqual([]));

    it('serves the same documents from the earlier builds after a rollback', () =>
      expect(driftedAfterRollback).toEqual([]));

    it('sends each new event once and no old event again', () => {
      const { position } = log.find(({ type }) => type === 'EndpointCreated')!;
      const old = new Set(
        log.filter((event) => event.position < position).map(({ data }) => (data as { eventId?: string }).eventId),
      );
      const { requests } = scenario.receiver;
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.map(({ body }) => (JSON.parse(body) as { id: string }).id).filter((id) => old.has(id))).toEqual(
        [],
      );
      expect(findUnexpectedRequests(requests, log)).toEqual([]);
    });
  },
);
