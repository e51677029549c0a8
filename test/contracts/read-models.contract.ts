import fc from 'fast-check';
import { newUuid } from '../../src/kernel/ids.js';
import { type FindQuery, parseDocument, type Where } from '../../src/kernel/read-models.js';
import type { Ports } from '../../src/stores/ports.js';
import { describeCatalogue } from './catalogue.js';
import { describeCheckpoints, describeLeases } from './checkpoints-and-leases.js';
import { describeCompareAndSet } from './compare-and-set.js';
import { describeContract } from './contract.js';
import { filterInMemory, findInMemory, order, type OrderDocument, row, SCHEMA, tombstone } from './documents.js';
import { pickIds } from './events.js';
import { FIND_QUERIES, LIVE } from './find-queries.js';
import { describeHourlySizes } from './hourly.js';
import { eachOpenStore, type OpenStoreFunction, selectPort } from './open-store.js';
import { seed } from './seed.js';
import { describeDropping, describeTombstones } from './tombstones.js';

const COUNTED: readonly Where[] = [
  LIVE,
  { _mode: 'test', 'business.id': 'biz_1' },
  { ...LIVE, _mode: { in: ['live', 'test', 'live'] } },
  { paid: true },
  { paid: { in: [false, true] } },
  { paid: { in: [] } },
  {},
];

/** The documents of projections, with the checkpoints, leases and builds that a store keeps beside them. */
export type ReadModelPorts = Pick<Ports, 'models' | 'checkpoints' | 'leases' | 'catalogue'>;

export function describeReadModels(name: string, open: OpenStoreFunction<ReadModelPorts>): void {
  describeContract(`Read models on ${name}`, () => {
    const ports = eachOpenStore(open);
    const opened = selectPort(ports, 'models');
    let orders: string;
    beforeEach(async () => {
      orders = `orders${newUuid()}@1`;
      await opened.store.ensureCollection(orders, SCHEMA);
    });

    describe('storing documents', () => {
      it('loads saved documents and omits missing ones', async () => {
        const rows = [row(order(1), 10), row(order(2), 11)];
        await opened.store.upsert(orders, rows);

        expect(await loadDocuments(['ord_001', 'ord_002', 'ord_003'])).toEqual(rows);
      });

      it('replaces a document by a newer one, and ignores an older one', async () => {
        await opened.store.upsert(orders, [row(order(1, { status: 'paid' }), 10)]);
        await opened.store.upsert(orders, [row(order(1), 9), row(order(2), 9)]);
        await opened.store.upsert(orders, [row(order(1), 10)]);

        expect(await loadDocuments(['ord_001'])).toEqual([row(order(1, { status: 'paid' }), 10)]);
        expect(await loadDocuments(['ord_002'])).toEqual([row(order(2), 9)]);
      });

      it('keeps a tombstone, so that an older page cannot restore a deleted document', async () => {
        await opened.store.upsert(orders, [row(order(1), 10)]);
        await opened.store.upsert(orders, [tombstone('ord_001', 11)]);
        await opened.store.upsert(orders, [row(order(1), 10)]);

        expect(await loadDocuments(['ord_001'])).toEqual([tombstone('ord_001', 11)]);
        expect(await opened.store.find(orders, { where: {}, orderBy: 'created_at', limit: 10 })).toEqual([]);
        expect(await opened.store.count(orders, LIVE)).toBe(0);
      });

      it('keeps its documents when it is prepared again', async () => {
        await opened.store.upsert(orders, [row(order(1), 10)]);
        await opened.store.ensureCollection(orders, SCHEMA);

        expect(await loadDocuments(['ord_001'])).toHaveLength(1);
      });

      it('accepts every object with the members of a schema, such as a projection', async () => {
        const projection = { ...SCHEMA, name: 'orders', on: { OrderPlaced: () => null } };

        await opened.store.ensureCollection(`${orders}2`, projection);
        expect(await opened.store.count(`${orders}2`, {})).toBe(0);
      });

      it('finds and counts with indexes and totals that were declared later', async () => {
        await opened.store.upsert(orders, [row(order(1), 10), row(order(2), 11)]);
        await opened.store.ensureCollection(orders, { indexes: [['amount_cents']], totals: [['amount_cents']] });
        await opened.store.upsert(orders, [row(order(2, { amount_cents: 100 }), 12)]);

        expect(
          pickIds(
            await opened.store.find<OrderDocument>(orders, { where: { amount_cents: 100 }, orderBy: 'id', limit: 10 }),
          ),
        ).toEqual(['ord_002', 'ord_001']);
        expect(await opened.store.count(orders, { amount_cents: 100 })).toBe(2);
      });

      it('accepts many rows in bulk, and finds and counts them after it is prepared without bulk', async () => {
        const bulky = `orders${newUuid()}@1#2`;
        await opened.store.ensureCollection(bulky, SCHEMA, { bulk: true });
        await opened.store.ensureCollection(bulky, SCHEMA, { bulk: true });
        await opened.store.upsert(bulky, [row(order(1), 10), row(order(2), 11)]);
        await opened.store.upsert(bulky, [row(order(2), 10), tombstone('ord_001', 12)]);
        await opened.store.ensureCollection(bulky, SCHEMA);
        await opened.store.upsert(bulky, [row(order(3), 13)]);

        expect(
          pickIds(await opened.store.find<OrderDocument>(bulky, { where: LIVE, orderBy: 'created_at', limit: 10 })),
        ).toEqual(['ord_003', 'ord_002']);
        expect(await opened.store.count(bulky, LIVE)).toBe(2);
        expect(await opened.store.count(bulky, {})).toBe(2);
      });

      it('reads a missing collection as empty', async () => {
        await opened.store.upsert(orders, [row(order(1), 10)]);
        await opened.store.dropCollection(orders);

        expect(await loadDocuments(['ord_001'])).toEqual([]);
        expect(await opened.store.find(orders, { where: LIVE, orderBy: 'created_at', limit: 10 })).toEqual([]);
        expect(await opened.store.count(orders, LIVE)).toBe(0);
      });

      it('is empty after it was dropped', async () => {
        await opened.store.upsert(orders, [row(order(1), 10)]);
        await opened.store.dropCollection(orders);
        await opened.store.ensureCollection(orders, SCHEMA);

        expect(await loadDocuments(['ord_001'])).toEqual([]);
        expect(await opened.store.count(orders, LIVE)).toBe(0);
      });

      it('drops a large collection completely', async () => {
        const rows = Array.from({ length: 450 }, (_, n) => row(order(n), 10));
        await opened.store.upsert(orders, rows);
        await opened.store.dropCollection(orders);
        await opened.store.dropCollection(orders);
        expect(await opened.store.count(orders, LIVE)).toBe(0);

        await opened.store.ensureCollection(orders, SCHEMA);
        await opened.store.upsert(orders, [row(order(7), 3)]);
        expect(await opened.store.count(orders, LIVE)).toBe(1);
        expect(await loadDocuments(rows.map(({ id }) => id))).toEqual([row(order(7), 3)]);
      });

      it('returns all rows ordered by their stored ids, independently of their documents', async () => {
        const rows = [
          row(order(3), 10),
          { ...row(order(1), 11), id: 'ord_002' },
          { id: 'ord_001', position: '12', document: null },
        ];
        await opened.store.upsert(orders, rows);

        expect((await opened.store.scan(orders, null, 2)).map(({ id }) => id)).toEqual(['ord_001', 'ord_002']);
        expect(await opened.store.scan(orders, 'ord_001', 9)).toEqual([rows[1], rows[0]]);
        expect(await opened.store.scan(orders, 'ord_003', 9)).toEqual([]);
      });

      it('has every acknowledged document after it is opened again', async () => {
        await opened.store.upsert(orders, [row(order(1), 10)]);
        const store = await opened.reopen();

        expect(await store.load(orders, ['ord_001'])).toEqual([row(order(1), 10)]);
        expect(await store.count(orders, LIVE)).toBe(1);
      });
    });

    describe('finding', () => {
      it('returns the newest documents first, and those of the same time by their ids', async () => {
        const created_at = '2026-03-01T00:00:00.000Z';
        await save(order(1), order(2, { created_at }), order(3, { created_at }), order(4));

        expect(pickIds(await find({ where: LIVE }))).toEqual(['ord_003', 'ord_002', 'ord_004', 'ord_001']);
        expect(pickIds(await find({ where: LIVE, ascending: true }))).toEqual([
          'ord_001',
          'ord_004',
          'ord_002',
          'ord_003',
        ]);
      });

      it('finds the same documents for a response', async () => {
        await save(order(1), order(2));
        const query = { where: LIVE, orderBy: 'created_at', limit: 10 };

        const found = await opened.store.findUnparsed<OrderDocument>(orders, query);
        expect(found.map(parseDocument)).toEqual(await opened.store.find(orders, query));
      });

      it('loads the same document for a response, and null for an unknown id and for a tombstone', async () => {
        await save(order(1));
        await opened.store.upsert(orders, [tombstone('ord_002', 11)]);

        const found = await opened.store.loadUnparsed<OrderDocument>(orders, 'ord_001');
        expect(found && parseDocument(found)).toEqual(order(1));
        expect(await opened.store.loadUnparsed(orders, 'ord_002')).toBeNull();
        expect(await opened.store.loadUnparsed(orders, 'ord_003')).toBeNull();
        expect(await opened.store.loadUnparsed('unknown', 'ord_001')).toBeNull();
      });

      it('treats values with special characters as plain values', async () => {
        await save(order(1, { status: `' or 1 = 1 --` }), order(2, { status: '$ne' }));

        expect(pickIds(await find({ where: { status: `' or 1 = 1 --` } }))).toEqual(['ord_001']);
        expect(pickIds(await find({ where: { status: { in: ['$ne'] } } }))).toEqual(['ord_002']);
      });

      it('finds, counts and slices like filtering in memory', async () => {
        const statuses = ['open', 'paid', 'void'];
        const documents = Array.from({ length: 60 }, (_, n) =>
          order(n, {
            business: { id: `biz_${n % 2}` },
            _mode: n % 3 ? 'live' : 'test',
            status: statuses[n % 3]!,
            paid: n % 4 === 0,
            closed_at: n % 5 < 2 ? null : `2026-02-0${(n % 5) + 1}`,
          }),
        );
        await save(...documents);
        await fc.assert(
          fc.asyncProperty(FIND_QUERIES, async (find) => {
            expect(pickIds(await opened.store.find<OrderDocument>(orders, find))).toEqual(
              pickIds(findInMemory(documents, find)),
            );
            expect(await opened.store.count(orders, find.where)).toBe(filterInMemory(documents, find.where).length);
          }),
          { seed, numRuns: 200 },
        );

        await fc.assert(
          fc.asyncProperty(FIND_QUERIES, async ({ offset: _, ...find }) => {
            const whole = findInMemory(documents, { ...find, limit: documents.length });
            expect(pickIds(await sliceBySlice(find))).toEqual(pickIds(whole));
          }),
          { seed, numRuns: 100 },
        );
      });
    });

    describe('totals', () => {
      it('are exact after inserts, changes, deletions and ignored saves', async () => {
        const kept = new Map<string, OrderDocument | null>();
        let position = 0;
        const step = fc.record({
          n: fc.nat(5),
          mode: fc.constantFrom('live' as const, 'test' as const),
          paid: fc.boolean(),
          gone: fc.nat(4),
        });
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
            const rows = steps.map(({ n, mode, paid, gone }) =>
              gone === 0 ? tombstone(order(n).id, ++position) : row(order(n, { _mode: mode, paid }), ++position),
            );
            for (const { id, document } of rows) kept.set(id, document as OrderDocument | null);
            await opened.store.upsert(orders, rows);
            await opened.store.upsert(orders, rows);

            const documents = [...kept.values()].filter((document) => document !== null);
            for (const where of COUNTED) {
              expect(await opened.store.count(orders, where)).toBe(filterInMemory(documents, where).length);
            }
          }),
          { seed, numRuns: 30 },
        );
      });
    });

    describeHourlySizes(opened);
    describeCompareAndSet(opened);
    describeTombstones(opened);
    describeDropping(ports);
    describeCatalogue(selectPort(ports, 'catalogue'));
    describeCheckpoints(selectPort(ports, 'checkpoints'));
    describeLeases(selectPort(ports, 'leases'));

    async function save(...documents: OrderDocument[]): Promise<void> {
      await opened.store.upsert(
        orders,
        documents.map((document, i) => row(document, i + 1)),
      );
    }

    function find(query: Partial<FindQuery>): Promise<OrderDocument[]> {
      return opened.store.find(orders, { where: {}, orderBy: 'created_at', limit: 100, ...query });
    }

    async function sliceBySlice(find: FindQuery): Promise<OrderDocument[]> {
      const all: OrderDocument[] = [];
      for (let after = find.after, isMore = true; isMore;) {
        const { documents, next } = await opened.store.findSlice<OrderDocument>(orders, {
          ...find,
          ...(after && { after }),
        });
        expect(documents.length).toBeLessThanOrEqual(find.limit);
        all.push(...documents);
        isMore = next !== null;
        after = next ?? undefined;
      }
      return all;
    }

    async function loadDocuments(wanted: readonly string[]) {
      return (await opened.store.load(orders, wanted)).sort((a, b) => (a.id < b.id ? -1 : 1));
    }
  });
}
