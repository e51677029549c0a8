import { newUuid } from '../../src/kernel/ids.js';
import { START } from '../../src/kernel/position.js';
import type { ReadModels } from '../../src/kernel/read-models.js';
import { at, order, row, SCHEMA, tombstone } from './documents.js';
import { LIVE } from './find-queries.js';
import type { OpenStore } from './open-store.js';

export function describeCompareAndSet(opened: OpenStore<ReadModels>): void {
  describe('replacing a row', () => {
    let orders: string;
    beforeEach(async () => {
      orders = `orders${newUuid()}@1`;
      await opened.store.ensureCollection(orders, SCHEMA);
    });

    it('replaces a row at the expected position by one with a higher, lower or equal position', async () => {
      await opened.store.upsert(orders, [row(order(1), 10)]);
      const [same, lower, higher] = [
        row(order(1, { status: 'a' }), 10),
        row(order(1, { status: 'b' }), 9),
        row(order(1), 12),
      ];

      expect(await opened.store.compareAndSet(orders, same, at(10))).toBe(true);
      expect(await opened.store.load(orders, ['ord_001'])).toEqual([same]);
      expect(await opened.store.compareAndSet(orders, lower, at(10))).toBe(true);
      expect(await opened.store.load(orders, ['ord_001'])).toEqual([lower]);
      expect(await opened.store.compareAndSet(orders, higher, at(9))).toBe(true);
      expect(await opened.store.load(orders, ['ord_001'])).toEqual([higher]);
    });

    it('changes neither a row at another position nor a missing row', async () => {
      await opened.store.upsert(orders, [row(order(1), 10)]);
      const other = row(order(1, { status: 'other' }), 11);

      expect(await opened.store.compareAndSet(orders, other, at(9))).toBe(false);
      expect(await opened.store.compareAndSet(orders, other, START)).toBe(false);
      expect(await opened.store.compareAndSet(orders, row(order(2), 11), at(10))).toBe(false);
      expect(await opened.store.load(orders, ['ord_001', 'ord_002'])).toEqual([row(order(1), 10)]);
    });

    it('inserts a missing row', async () => {
      expect(await opened.store.compareAndSet(orders, row(order(1), 10), START)).toBe(true);
      expect(await opened.store.load(orders, ['ord_001'])).toEqual([row(order(1), 10)]);
    });

    it('keeps the totals exact', async () => {
      await opened.store.compareAndSet(orders, row(order(1), 10), START);
      await opened.store.compareAndSet(orders, row(order(2), 10), START);
      expect(await opened.store.count(orders, LIVE)).toBe(2);

      await opened.store.compareAndSet(orders, row(order(1, { _mode: 'test' }), 10), at(10));
      await opened.store.compareAndSet(orders, tombstone('ord_002', 10), at(10));
      expect(await opened.store.count(orders, LIVE)).toBe(0);
      expect(await opened.store.count(orders, {})).toBe(1);
    });
  });
}
