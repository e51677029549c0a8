import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describeSigningKey, signCheckpoint } from '../../../src/audit/chain/checkpoint-signature.js';
import { auditChains } from '../../../src/audit/projections/audit-chains.js';
import { auditEvents } from '../../../src/audit/projections/audit-events.js';
import { ChainEvidence } from '../../../src/audit/verification/chain-evidence.js';
import { verifyStore } from '../../../src/audit/verification/verify-store.js';
import { Projector } from '../../../src/engine/projections/projector.js';
import { SystemClock } from '../../../src/kernel/clock.js';
import { buildOf, collectionOf } from '../../../src/kernel/projection.js';
import { openStores } from '../../../src/stores/open.js';
import type { Ports } from '../../../src/stores/ports.js';
import { scaleRuns, seed } from '../../contracts/seed.js';
import { readWholeLog } from '../../support/read-whole-log.js';
import { BUSINESS, chainOf, createChainedEvent, PUBLIC_KEY, SIGNING_KEY } from '../chain/chained-log.js';

const EVENTS = 30;
/** The position of the event that signs the chain of all events before it. */
const CHECKPOINT = EVENTS / 2 + 1;
const SIZE = EVENTS + 1;

const folder = mkdtempSync(join(tmpdir(), 'tampered-'));
const file = join(folder, 'store.sqlite');
afterAll(() => rmSync(folder, { recursive: true }));

const builds = {
  chains: buildOf(collectionOf(auditChains), 1),
  events: buildOf(collectionOf(auditEvents), 1),
  reached: String(SIZE).padStart(16, '0'),
};

beforeAll(async () => {
  const ports = await openStores({ file });
  for (let n = 1; n <= EVENTS; n++) {
    if (n === CHECKPOINT) await appendCheckpoint(ports);
    const { id, meta } = createChainedEvent(n);
    const event = { id, meta, type: 'DiscountCreated', data: { discountId: `dsc_${n}`, code: 'a' } };
    await ports.events.append(`discount-dsc_${n}`, 'none', [event]);
  }
  await project(ports);
  await ports.close();
});

async function appendCheckpoint({ events }: Ports): Promise<void> {
  const log = await readWholeLog(events);
  const state = { ...chainOf(log), position: log.at(-1)!.position };
  const { key_id: keyId, public_key: publicKey } = describeSigningKey(SIGNING_KEY);
  const signature = signCheckpoint(BUSINESS, state, SIGNING_KEY);
  const { meta } = createChainedEvent(1);
  const data = { business: BUSINESS, ...state, keyId, publicKey, signature, at: meta.at };
  const id = createChainedEvent(1_000).id;
  await events.append(`auditChain-${BUSINESS}`, 'none', [{ id, meta, type: 'ChainCheckpointSigned', data }]);
}

async function project({ events: store, models: readModels }: Ports): Promise<void> {
  const tools = { store, readModels, clock: new SystemClock() };
  const log = await readWholeLog(store);
  for (const [projection, build] of [
    [auditChains, builds.chains],
    [auditEvents, builds.events],
  ] as const) {
    const projector = new Projector<object>(projection, tools, build);
    await projector.prepare();
    await projector.handle(log);
  }
}

async function verify(path: string) {
  const ports = await openStores({ file: path });
  try {
    return await verifyStore(ports.events, new ChainEvidence(ports.events, ports.models, builds, PUBLIC_KEY));
  } finally {
    await ports.close();
  }
}

describe('The verification of a store', () => {
  it('accepts a store that nobody has changed', async () =>
    expect(await verify(file)).toEqual({
      events: SIZE,
      chains: 1,
      checkpoints: 1,
      stored_heads: 1,
      mismatches: [],
    }));

  it(
    `finds each of random tamperings at its position (SEED=${seed})`,
    () =>
      fc.assert(
        fc.asyncProperty(tamperings, async ({ sql, position }) => {
          const copy = join(folder, 'copy.sqlite');
          copyFileSync(file, copy);
          const database = new DatabaseSync(copy);
          database.exec(sql);
          database.close();
          const { mismatches } = await verify(copy);
          rmSync(copy);

          expect(mismatches.map((mismatch) => Number(mismatch.position))).toEqual([position]);
        }),
        { seed, numRuns: scaleRuns(40) },
      ),
    300_000,
  );
});

const place = fc.integer({ min: 1, max: SIZE });

/** Changed, deleted, inserted and exchanged events, and a truncated log. */
const tamperings: fc.Arbitrary<{ readonly sql: string; readonly position: number }> = fc.oneof(
  fc.tuple(place, fc.constantFrom('data', 'meta')).map(([position, part]) => ({
    sql: `update events set ${part} = json_set(${part}, '$.forged', 1) where position = ${position}`,
    position,
  })),
  place.map((position) => ({ sql: `delete from events where position = ${position}`, position })),
  place.map((position) => ({
    sql: `${shift(position)}
      insert into events select ${position}, 'discount-dsc_0', 0, 'forged', type, data, meta
        from events where type = 'DiscountCreated' limit 1`,
    position,
  })),
  fc
    .tuple(place, place)
    .filter(([a, b]) => a < b)
    .map(([position, other]) => ({
      sql: `update events set position = 1000 where position = ${position};
      update events set position = ${position} where position = ${other};
      update events set position = ${other} where position = 1000`,
      position,
    })),
  place.map((position) => ({ sql: `delete from events where position >= ${position}`, position })),
);

/** Makes room for an event. */
function shift(position: number): string {
  return `update events set position = -position - 1 where position >= ${position};
    update events set position = -position where position < 0;`;
}
