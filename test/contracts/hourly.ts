import fc from 'fast-check';
import { newUuid } from '../../src/kernel/ids.js';
import type { Condition, FindQuery, ReadModels, Row } from '../../src/kernel/read-models.js';
import { filterInMemory, findInMemory, order, type OrderDocument, row, tombstone } from './documents.js';
import { pickIds } from './events.js';
import { LIVE } from './find-queries.js';
import type { OpenStore } from './open-store.js';
import { seed } from './seed.js';

const GROUP = ['business.id', '_mode'];
const SCHEMA = {
  indexes: [
    [...GROUP, 'created_at'],
    [...GROUP, 'closed_at', 'created_at'],
  ],
  hourly: [
    { group: GROUP, times: ['created_at', 'closed_at'] },
    { group: GROUP, times: ['closed_at', 'created_at'] },
  ] as const,
};
const MANY = 700;
const STEP_MS = 95_000;
const FIRST = Date.parse('2026-02-01T09:00:00.000Z');
const LAST = MANY * STEP_MS;

/** Times that include the first and the last millisecond of an hour. */
const times = fc.tuple(fc.nat(LAST), fc.constantFrom('at', 'from', 'to')).map(([ms, end]) => {
  const time = new Date(FIRST + ms).toISOString();
  if (end === 'at') return time;
  return `${time.slice(0, 13)}:${end === 'from' ? '00:00.000' : '59:59.999'}Z`;
});
const ranges = fc.record({ from: times, to: times }, { requiredKeys: [] });
const modes = fc.constantFrom<Condition>('test', { in: ['live', 'test', 'live'] }, { in: ['live'] }, { in: [] });
const wheres = fc
  .record(
    { _mode: modes, created_at: ranges, closed_at: fc.oneof<fc.Arbitrary<Condition>[]>(ranges, fc.constant(null)) },
    { requiredKeys: [] },
  )
  .map((asked) => ({ ...LIVE, ...asked }));
const finds: fc.Arbitrary<FindQuery> = fc.record({
  where: wheres,
  orderBy: fc.constantFrom('created_at', 'closed_at'),
  ascending: fc.boolean(),
  offset: fc.oneof(fc.constant(0), fc.nat(MANY)),
  limit: fc.integer({ min: 1, max: 60 }),
});

/** Tests counts of time ranges and pages with large offsets, which use the sizes per hour. */
export function describeHourlySizes(opened: OpenStore<ReadModels>): void {
  describe('hourly sizes', () => {
    let orders: string;
    beforeEach(() => void (orders = `hours${newUuid()}@1`));

    it('give the same counts and pages as filtering in memory', async () => {
      await opened.store.ensureCollection(orders, SCHEMA);
      const kept = await fill();

      await assertAsPlain(kept);
    });

    it('follow documents that move to another hour, are deleted, or are saved again', async () => {
      await opened.store.ensureCollection(orders, SCHEMA);
      const kept = await fill();
      const moved = kept.map((document, n) => ({ ...document, closed_at: timeOf(n * 2) }));
      const changes: Row[] = moved.map((document, n) =>
        n % 7 === 0 ? tombstone(document.id, MANY + n) : row(document, MANY + n),
      );
      await opened.store.upsert(orders, changes);
      await opened.store.upsert(orders, changes);

      await assertAsPlain(moved.filter((_, n) => n % 7 !== 0));
    });

    it('include documents that were saved before the sizes were declared', async () => {
      await opened.store.ensureCollection(orders, { indexes: SCHEMA.indexes });
      const kept = await fill();
      await opened.store.ensureCollection(orders, SCHEMA);

      await assertAsPlain(kept);
    });

    async function fill(): Promise<OrderDocument[]> {
      const documents = Array.from({ length: MANY }, (_, n) =>
        order(n, {
          created_at: timeOf(n),
          closed_at: n % 5 === 0 ? null : timeOf(n + (n % 90)),
          _mode: n % 11 === 0 ? 'test' : 'live',
        }),
      );
      await opened.store.upsert(
        orders,
        documents.map((document, n) => row(document, n + 1)),
      );
      return documents;
    }

    async function assertAsPlain(documents: readonly OrderDocument[]): Promise<void> {
      await fc.assert(
        fc.asyncProperty(finds, async (find) => {
          expect(await opened.store.count(orders, find.where)).toBe(filterInMemory(documents, find.where).length);
          expect(pickIds(await opened.store.find<OrderDocument>(orders, find))).toEqual(
            pickIds(findInMemory(documents, find)),
          );
        }),
        { seed, numRuns: 150 },
      );
    }
  });
}

function timeOf(n: number): string {
  return new Date(FIRST + n * STEP_MS).toISOString();
}
