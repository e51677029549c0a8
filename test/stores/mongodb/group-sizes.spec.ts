import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { idOf } from '../../../src/kernel/ids.js';
import type { Row } from '../../../src/kernel/read-models.js';
import { GroupSizes } from '../../../src/stores/mongodb/group-sizes.js';
import type { MongoStores } from '../../../src/stores/mongodb/mongodb.js';
import { at, filterInMemory, order, type OrderDocument } from '../../contracts/documents.js';
import { LIVE } from '../../contracts/find-queries.js';
import { seed } from '../../contracts/seed.js';
import { ManualClock } from '../../support/clock.js';
import { Databases, onMongo } from './server.js';

const ORDERS = 'orders@1#1';
const SCHEMA = { indexes: [['business.id', '_mode', 'created_at']], totals: [['business.id', '_mode']] };
const MANY = 1_100;
const FIRST = Date.parse('2026-02-01T09:00:00.000Z');
const HOUR_MS = 3_600_000;

type Models = MongoStores['models'];

onMongo((server) => {
  const databases = Databases.each(server);
  let clock: ManualClock;
  let models: Models;
  beforeEach(async () => {
    clock = new ManualClock();
    models = await createProcess();
  });

  it('counts a part of a large group once, and again only after something was written to it', async () => {
    await models.ensureCollection(ORDERS, SCHEMA);
    await models.upsert(ORDERS, rowsOf(documents()));
    await close(models);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY);

    // The deletion bypasses the store, so only a new count of the part notices it.
    const [oldest, newest] = [document(0), document(MANY - 1)];
    await deleteDirectly([oldest.id, newest.id]);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY);
    expect(await models.count(ORDERS, { ...LIVE, _mode: { in: ['live', 'test'] } })).toBe(MANY);
    await models.upsert(ORDERS, [row(document(MANY), 2)]);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY);
  });

  it('counts exactly while several processes save, move and delete documents', async () => {
    await models.ensureCollection(ORDERS, SCHEMA);
    const other = await createProcess();
    const kept = new Map(documents().map((one) => [one.id, one]));
    await models.upsert(ORDERS, rowsOf([...kept.values()]));
    let position = 1;
    const step = fc.record({
      n: fc.nat(MANY + 20),
      to: fc.constantFrom('live', 'test', 'gone'),
      settle: fc.boolean(),
      wait: fc.constantFrom(0, 30_000, HOUR_MS / 2, HOUR_MS + 1),
      byOther: fc.boolean(),
      read: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
        for (const { n, to, settle, wait, byOther, read } of steps) {
          if (settle) await Promise.all([models, other].map(close));
          await clock.advance(wait);
          if (read) await models.count(ORDERS, LIVE);
          const changed = document(n, to === 'gone' ? 'live' : to);
          if (to === 'gone') kept.delete(changed.id);
          else kept.set(changed.id, changed);
          const saved: Row =
            to === 'gone' ? { id: changed.id, position: at(++position), document: null } : row(changed, ++position);
          await (byOther ? other : models).upsert(ORDERS, [saved]);
        }
        for (const reader of [models, other]) {
          expect(await reader.count(ORDERS, LIVE)).toBe(filterInMemory([...kept.values()], LIVE).length);
        }
      }),
      { seed, numRuns: 12 },
    );
  });

  it('counts a collection as a whole when it had documents before its division', async () => {
    await models.upsert(ORDERS, rowsOf(documents()));
    await models.ensureCollection(ORDERS, SCHEMA);
    await close(models);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY);

    await deleteDirectly([document(0).id]);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY - 1);
  });

  it('starts again from zero after the collection was dropped', async () => {
    for (const size of [MANY, MANY - 50]) {
      await models.ensureCollection(ORDERS, SCHEMA);
      await models.upsert(ORDERS, rowsOf(documents().slice(0, size)));
      await close(models);
      expect(await models.count(ORDERS, LIVE)).toBe(size);
      await models.dropCollection(ORDERS);
      expect(await models.count(ORDERS, LIVE)).toBe(0);
    }
  });

  it.each([
    ['a minute', 61_000],
    ['two hours', 2 * HOUR_MS],
  ])(
    'counts exactly when a writer is paused for %s before its write, and others count during the pause',
    async (_, pause) => {
      await models.ensureCollection(ORDERS, SCHEMA);
      const other = await createProcess();
      await models.upsert(ORDERS, rowsOf(documents()));
      await close(models);
      await writeAndEnd([5, 6], async () => {
        await clock.advance(pause);
        expect(await other.count(ORDERS, LIVE)).toBe(MANY);
        await deleteDirectly([document(5).id, document(6).id]);
      });
      expect(await other.count(ORDERS, LIVE)).toBe(MANY - 2);
      await clock.advance(2 * HOUR_MS);
      expect(await other.count(ORDERS, LIVE)).toBe(MANY - 2);
    },
  );

  it('stores no size of a part while a write without a response may still change it', async () => {
    await models.ensureCollection(ORDERS, SCHEMA);
    await models.upsert(ORDERS, rowsOf(documents()));
    await close(models);
    const lost = new Error('no answer');
    await expect(writeAndEnd([5], () => Promise.reject(lost), closeUnusedParts)).rejects.toBe(lost);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY);
    await deleteDirectly([document(5).id]);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY - 1);
  });

  it('stores no size of a part whose writer has ended without a response, until its opening expires', async () => {
    await models.ensureCollection(ORDERS, SCHEMA);
    await models.upsert(ORDERS, rowsOf(documents()));
    await close(models);
    const lost = new Error('no answer');
    await expect(writeAndEnd([5], () => Promise.reject(lost))).rejects.toBe(lost);
    await clock.advance(HOUR_MS - 1);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY);

    await deleteDirectly([document(5).id]);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY - 1);
    await clock.advance(2);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY - 1);
    await deleteDirectly([document(6).id]);
    expect(await models.count(ORDERS, LIVE)).toBe(MANY - 1);
  });

  it('stores the sizes of the counted parts when a large group takes too long for one call', async () => {
    await models.ensureCollection(ORDERS, SCHEMA);
    await models.upsert(ORDERS, rowsOf(documents(3_000)));
    await close(models);
    const slow = await createProcess(300);
    const counts: number[] = [];
    for (let answer = 1; answer <= 20; answer++) counts.push(await slow.count(ORDERS, LIVE));
    expect(new Set(counts)).toEqual(new Set([3_000]));

    await deleteDirectly([document(0).id, document(2_999).id]);
    expect(await slow.count(ORDERS, LIVE)).toBe(3_000);
  });

  /** Writes like another process that ends after the write. @param end its last step; by default it ends at once */
  async function writeAndEnd(
    ns: readonly number[],
    write: () => Promise<void>,
    end: (sizes: GroupSizes) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const client = new MongoClient(databases.url);
    const sizes = new GroupSizes(client.db(), { now: () => Promise.resolve(clock.now()) });
    await sizes
      .runWrite(
        ORDERS,
        ns.map((n) => document(n).id),
        write,
      )
      .finally(() => end(sizes))
      .finally(() => client.close());
  }

  /** @param step the advance of the store's time at every read of it */
  async function createProcess(step = 0): Promise<Models> {
    let asked = 0;
    return (await databases.open({ clock, time: { now: () => Promise.resolve(clock.now() + step * asked++) } })).models;
  }

  async function deleteDirectly(ids: readonly string[]): Promise<void> {
    const client = new MongoClient(databases.url);
    await client
      .db()
      .collection<{ _id: string }>(`documents.${ORDERS}`)
      .deleteMany({ _id: { $in: [...ids] } });
    await client.close();
  }
});

/** Closes all open parts of the process. */
async function close(models: Models): Promise<void> {
  await models.closeUnusedParts();
  await models.closeUnusedParts();
}

async function closeUnusedParts(sizes: GroupSizes): Promise<void> {
  await sizes.closeUnused();
  await sizes.closeUnused();
}

/** The documents are minutes apart, so that they are in several parts. */
function document(n: number, _mode: 'live' | 'test' = 'live'): OrderDocument {
  return order(n, { id: idOf('ord', FIRST + n * 180_000, n), _mode });
}

function documents(size = MANY): OrderDocument[] {
  return Array.from({ length: size }, (_, n) => document(n));
}

function row(one: OrderDocument, position: number): Row {
  return { id: one.id, position: at(position), document: one };
}

function rowsOf(all: readonly OrderDocument[]): Row[] {
  return all.map((one) => row(one, 1));
}
