import fc from 'fast-check';
import { idOf } from '../../../src/kernel/ids.js';
import type { ReadModels, Row, Where } from '../../../src/kernel/read-models.js';
import { type MongoStores, openMongo } from '../../../src/stores/mongodb/mongodb.js';
import { at, filterInMemory, order, type OrderDocument, row, tombstone } from '../../contracts/documents.js';
import { LIVE } from '../../contracts/find-queries.js';
import { scaleRuns, seed } from '../../contracts/seed.js';
import { ManualClock } from '../../support/clock.js';
import { IsolatedPrimary } from '../../support/mongo-java/isolated-primary.js';
import { Databases, IS_LIVE, onMongo, type TestServer } from './server.js';

const ORDERS = 'orders@1#1';
const GROUP = ['business.id', '_mode'];
const SCHEMA = {
  indexes: [[...GROUP, 'created_at']],
  hourly: [{ group: GROUP, times: ['created_at', 'closed_at'] as const }],
};
/** In about 10 parts. */
const MANY = 1_500;
const STEP_MS = 240_000;
const FIRST = Date.parse('2026-02-01T09:00:00.000Z');
const HOUR_MS = 3_600_000;

type Models = MongoStores['models'];

/** Usually a document is created at the time of its id, and closed some hours later. */
const changes = fc.record({
  created: fc.oneof({ weight: 8, arbitrary: fc.constant('by id' as const) }, fc.nat(MANY), fc.constant(null)),
  closed: fc.oneof({ weight: 3, arbitrary: fc.nat(300) }, fc.constant(null)),
  _mode: fc.oneof({ weight: 9, arbitrary: fc.constant('live' as const) }, fc.constant('test' as const)),
});
type Change = typeof changes extends fc.Arbitrary<infer T> ? T : never;

const times = fc.tuple(fc.nat(MANY), fc.constantFrom(-1, 0, 1)).map(([n, ms]) => timeOf(n, ms));
const ranges = fc.oneof(
  fc.record({ from: times, to: times }, { requiredKeys: [] }),
  fc.tuple(times, times).map((ends) => ({ from: ends.sort()[0], to: ends[1] })),
);
const wheres: fc.Arbitrary<Where> = fc
  .record(
    { created_at: ranges, closed_at: ranges, _mode: fc.constant({ in: ['live', 'test', 'live'] }) },
    { requiredKeys: [] },
  )
  .map((asked) => ({ ...LIVE, ...asked }));

const steps = fc.record({
  n: fc.nat(MANY + 400),
  change: fc.oneof({ weight: 3, arbitrary: changes }, fc.constant(null)),
  settle: fc.boolean(),
  wait: fc.constantFrom(0, 30_000, HOUR_MS + 1),
  byOther: fc.boolean(),
  count: fc.option(wheres),
});

onMongo((server) => {
  const databases = Databases.each(server);
  let clock: ManualClock;
  beforeEach(() => void (clock = new ManualClock()));
  const createProcess = async () =>
    (await databases.open({ clock, time: { now: () => Promise.resolve(clock.now()) } })).models;

  it('counts ranges exactly while several processes save, move and delete documents', async () => {
    const [models, other] = [await createProcess(), await createProcess()];
    await models.ensureCollection(ORDERS, SCHEMA);
    const kept = new Map(createDocuments().map((one) => [one.id, one]));
    await save(models, [...kept.values()]);
    let position = 1;
    const assertExact = async (where: Where) => {
      const expected = filterInMemory([...kept.values()], where).length;
      for (const reader of [models, other]) expect(await reader.count(ORDERS, where)).toBe(expected);
    };
    const examples = fc.tuple(fc.array(steps, { maxLength: 5 }), fc.array(wheres, { minLength: 3, maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(examples, async ([changed, asked]) => {
        for (const { n, change, settle, wait, byOther, count } of changed) {
          if (settle) await Promise.all([models, other].map(close));
          await clock.advance(wait);
          if (count) await models.count(ORDERS, count);
          const saved = toRow(n, change, ++position);
          if (saved.document === null) kept.delete(saved.id);
          else kept.set(saved.id, saved.document as OrderDocument);
          await (byOther ? other : models).upsert(ORDERS, [saved]);
        }
        for (const where of asked) await assertExact(where);
      }),
      { seed, numRuns: scaleRuns(10) },
    );
  });

  it('measures only the group and the times that are declared', async () => {
    const models = await createProcess();
    await models.ensureCollection(ORDERS, SCHEMA);
    const documents = createDocuments();
    await save(models, documents);
    await close(models);
    const undeclared: Where[] = [
      { ...LIVE, amount_cents: { from: 100 } },
      { ...LIVE, status: 'open', created_at: { from: timeOf(10) } },
      { _mode: 'live', created_at: { from: timeOf(10) } },
      { ...LIVE, created_at: {}, closed_at: {} },
    ];
    for (const where of undeclared)
      expect(await models.count(ORDERS, where)).toBe(filterInMemory(documents, where).length);
  });

  if (!IS_LIVE) it('counts again only parts that are partly within a range', () => assertBoundaries(server, clock));
});

/** Each document is created at the time of its id and closed an hour later. */
async function assertBoundaries(server: TestServer, clock: ManualClock): Promise<void> {
  const primary = await IsolatedPrimary.startFor(server.createDatabase());
  const { models, ...stores } = await openStores(primary.url, clock);
  try {
    await models.ensureCollection(ORDERS, SCHEMA);
    const closed = { created: 'by id', closed: 20, _mode: 'live' } as const;
    const documents = Array.from({ length: MANY }, (_, n) => createDocument(n, closed));
    await save(models, documents);
    await close(models);
    const within = { from: timeOf(200), to: timeOf(1_400) };
    for (const [where, cut] of [
      [{ ...LIVE, created_at: within }, 2],
      [{ ...LIVE, created_at: { from: timeOf(200) } }, 1],
      [{ ...LIVE, created_at: { from: timeOf(-1), to: timeOf(MANY) } }, 0],
      [{ ...LIVE, created_at: within, closed_at: { from: timeOf(0), to: timeOf(MANY + 20) } }, 2],
    ] as const) {
      await models.count(ORDERS, where);
      primary.reads.length = 0;
      expect(await models.count(ORDERS, where)).toBe(filterInMemory(documents, where).length);
      const ofDocuments = primary.reads.filter(({ aggregate }) => aggregate === `documents.${ORDERS}`);
      // The first command is the limited search for few documents.
      expect(ofDocuments.map(({ hint }) => hint as unknown)).toEqual([
        undefined,
        ...Array.from({ length: cut }, () => 'by _mode, business.id'),
      ]);
    }
  } finally {
    await stores.close();
    primary.close();
  }
}

async function openStores(url: string, clock: ManualClock) {
  const stores = await openMongo({ url, clock, time: { now: () => Promise.resolve(clock.now()) } });
  return { models: stores.models, close: () => stores.close() };
}

async function save(models: ReadModels, documents: readonly OrderDocument[]): Promise<void> {
  await models.upsert(
    ORDERS,
    documents.map((document) => row(document, 1)),
  );
}

/** Closes all open parts of the process. */
async function close(models: Models): Promise<void> {
  await models.closeUnusedParts();
  await models.closeUnusedParts();
}

/** Only some parts have documents with other times than those of their ids. */
function createDocuments(): OrderDocument[] {
  const usual = { created: 'by id', closed: 20, _mode: 'live' } as const;
  return fc
    .sample(changes, { seed, numRuns: MANY })
    .map((change, n) => createDocument(n, Math.floor(n / 150) % 3 === 0 ? change : usual));
}

function createDocument(n: number, { created, closed, _mode }: Change): OrderDocument {
  return order(n, {
    id: idOf('ord', FIRST + n * STEP_MS, n),
    // A time may be missing in any document.
    created_at: (created === null ? null : timeOf(created === 'by id' ? n : created)) as string,
    closed_at: closed === null ? null : timeOf(n + closed),
    _mode,
  });
}

function toRow(n: number, change: Change | null, position: number): Row {
  const { id } = createDocument(n, { created: null, closed: null, _mode: 'live' });
  return change === null
    ? tombstone(id, position)
    : { id, position: at(position), document: createDocument(n, change) };
}

function timeOf(n: number, ms = 0): string {
  return new Date(FIRST + n * STEP_MS + ms).toISOString();
}
