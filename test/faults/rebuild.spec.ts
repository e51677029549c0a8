import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Recorded } from '../../src/kernel/event.js';
import { collectionOf } from '../../src/kernel/projection.js';
import type { Run } from '../support/command-line.js';
import { strangeRequests } from '../support/invariants/deliveries.js';
import { driftedDocuments } from '../support/invariants/read-models.js';
import { Rebuilding } from './rebuilding.js';

const EVENTS = Number(process.env.FAULT_EVENTS ?? 0);
const SEED = Number(process.env.FAULT_SEED ?? randomInt(2 ** 31));
const MINUTES = 60_000;
const QUIET_MS = 2_000;
const ROLLED_BACK = ['products', 'posts', 'deliveries'];

if (EVENTS === 0) process.stderr.write('Skipped: a rebuild under load (FAULT_EVENTS sets the number of events)\n');

(EVENTS === 0 ? describe.skip : describe)(
  `A rebuild of every projection of at least ${EVENTS} events during 200 writes a second (FAULT_SEED=${SEED})`,
  () => {
    let scene: Rebuilding;
    let second: Run;
    let killed: Run;
    let diedAtSwitch: Run;
    let rebuilt: readonly { readonly projection: string; readonly build: string; readonly active: boolean }[];
    let drifted: readonly string[];
    let driftedBehind: readonly string[];
    let open: readonly string[];
    let log: readonly Recorded[];

    beforeAll(
      async () => {
        scene = await Rebuilding.begin(EVENTS, SEED);
        const { bystanders, ops, evidence } = scene;
        await delay(QUIET_MS);
        const without = bystanders.measured();

        diedAtSwitch = await ops.run('projections rebuild posts', { CRASH_AT: 'during-build-switch' });
        second = await scene.startedTwice();
        killed = await scene.killedInTheMiddle();
        ({ rebuilt } = await ops.document('projections rebuild --all'));
        const beside = bystanders.measured();
        console.log(
          `p99 of a durable POST, ms: ${without.p99} without a rebuild (${without.writes}), ${beside.p99} during a rebuild (${beside.writes})`,
        );

        await bystanders.end();
        open = await scene.settled();
        log = await evidence.log();
        drifted = await driftedDocuments(evidence, log);
        for (const projection of ROLLED_BACK) await ops.document(`projections rollback ${projection}`);
        driftedBehind = await driftedDocuments(evidence, log);
      },
      5 * MINUTES + EVENTS * 12,
    );
    afterAll(() => scene.end());

    it('creates and activates a new build of every projection', () => {
      expect(rebuilt.map(({ projection }) => projection)).toEqual(scene.evidence.registry.projections.map(collectionOf).sort());
      expect(rebuilt.filter(({ active }) => !active)).toEqual([]);
    });

    it('fails no read and no write', () => expect(scene.bystanders.failures).toEqual([]));

    it('is refused while another rebuild runs', () => {
      expect(second.exitCode).toBe(1);
      expect(second.err).toMatch(/^another process works on posts@1#\d+\n$/m);
    });

    it('continues after it was killed in the middle and at the switch', () =>
      expect([killed.exitCode, diedAtSwitch.exitCode]).toEqual([null, null]));

    it('finishes all work', () => expect(open).toEqual([]));

    it('serves documents that are exact folds of the log', () => expect(drifted).toEqual([]));

    it('serves the same documents from the earlier builds after a rollback', () => expect(driftedBehind).toEqual([]));

    it('sends each new event once and no old event again', () => {
      const { position } = log.find(({ type }) => type === 'EndpointCreated')!;
      const old = new Set(log.filter((event) => event.position < position).map(({ data }) => (data as { eventId?: string }).eventId));
      const { requests } = scene.receiver;
      expect(requests.length).toBeGreaterThan(0);
      expect(requests.map(({ body }) => (JSON.parse(body) as { id: string }).id).filter((id) => old.has(id))).toEqual([]);
      expect(strangeRequests(requests, log)).toEqual([]);
    });
  },
);
