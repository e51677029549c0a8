import type { ReadModels } from '../../src/kernel/read-models.js';
import { EMPTY_SCHEMA } from '../../src/stores/embedded/collections.js';
import { toListQueries, toSource } from '../../src/stores/embedded/query.js';
import { createNumberedOrder, type OrderDocument, row, SCHEMA } from '../contracts/documents.js';
import { Folder } from './support/folder.js';

const ORDERS = 'orders@1';
const MANY = 12_000;
const OWNED = { 'business.id': 'biz_1', _mode: 'live' };

describe('A list of the embedded store', () => {
  const folder = Folder.each();
  let models: ReadModels;
  beforeEach(async () => {
    ({ models } = await folder.open());
    await models.ensureCollection(ORDERS, SCHEMA);
    await models.upsert(
      ORDERS,
      Array.from({ length: MANY }, (_, n) => row(createNumberedOrder(n), n + 1)),
    );
  });

  it('scans a bounded number of rows for one slice, and continues where it stopped', async () => {
    const request = { where: { ...OWNED, amount_cents: { to: 100 } }, orderBy: 'created_at', limit: 10 };
    const first = await models.findSlice<OrderDocument>(ORDERS, request);
    expect(first.documents).toEqual([]);
    expect(first.next).not.toBeNull();

    const found = [];
    for (let next = first.next; next !== null;) {
      const slice = await models.findSlice<OrderDocument>(ORDERS, { ...request, after: next });
      found.push(...slice.documents);
      ({ next } = slice);
    }
    expect(found).toEqual([createNumberedOrder(1), createNumberedOrder(0)]);
  });

  it('finds the entries of a sparse index at the far end of the list in one slice', async () => {
    await models.upsert(ORDERS, [row({ ...createNumberedOrder(0), closed_at: '2026-02-01' }, MANY + 1)]);

    const where = { ...OWNED, closed_at: '2026-02-01' };
    const { documents, next } = await models.findSlice<OrderDocument>(ORDERS, {
      where,
      orderBy: 'created_at',
      limit: 10,
    });
    expect(documents.map(({ id }) => id)).toEqual([createNumberedOrder(0).id]);
    expect(next).toBeNull();
  });

  it('is read by the index of a value that few documents share', () => {
    const [group, narrow] = [
      ['business.id', '_mode', 'created_at'],
      ['business.id', 'status', 'created_at'],
    ] as const;
    const totals = [['business.id', '_mode']];
    const collection = { ...EMPTY_SCHEMA, name: ORDERS, columns: new Set<string>(), indexes: [narrow, group], totals };
    const where = { ...OWNED, status: { in: ['open'] } };
    const [query] = toListQueries(collection, { where, orderBy: 'created_at', limit: 10 });
    expect(query!.text).toContain('indexed by "orders@1 by business.id, status, created_at"');
    for (const other of [OWNED, { ...OWNED, status: { in: ['open', null] } }, { ...OWNED, status: { from: 'open' } }])
      expect(toSource(collection, other)).toBe('"documents of orders@1"');
  });

  it.each([
    ['a late page', () => models.find(ORDERS, { where: OWNED, orderBy: 'created_at', offset: 6_000, limit: 25 })],
    [
      'a slice that skips documents',
      () =>
        models.findSlice(ORDERS, {
          where: { ...OWNED, amount_cents: { to: 100 } },
          orderBy: 'created_at',
          limit: 25,
        }),
    ],
    ['a count', () => models.count(ORDERS, { ...OWNED, created_at: { from: '2026-01-01' } })],
  ])('does not block the calling thread while it reads %s', async (_, ask) => {
    let turns = 0;
    setImmediate(() => turns++);
    await ask();

    expect(turns).toBe(1);
  });
});
