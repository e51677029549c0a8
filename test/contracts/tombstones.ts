import { newUuid } from '../../src/kernel/ids.js';
import { START } from '../../src/kernel/position.js';
import type { ReadModels } from '../../src/kernel/read-models.js';
import type { Ports } from '../../src/stores/ports.js';
import { at, order, row, SCHEMA, tombstone } from './documents.js';
import { LIVE } from './find-queries.js';
import type { OpenStore } from './open-store.js';

const ALL = ['ord_001', 'ord_002', 'ord_003', 'ord_004'];

export function describeTombstones(opened: OpenStore<ReadModels>): void {
  describe('deleting tombstones', () => {
    let orders: string;
    beforeEach(async () => {
      orders = `orders${newUuid()}@1`;
      await opened.store.ensureCollection(orders, SCHEMA);
    });

    it('deletes tombstones up to a position, and no document', async () => {
      const kept = [row(order(1), 5), tombstone('ord_004', 13)];
      await opened.store.upsert(orders, [...kept, tombstone('ord_002', 11), tombstone('ord_003', 12)]);
      expect(await opened.store.deleteTombstones(orders, at(12), 100)).toBe(2);
      expect(await opened.store.load(orders, ALL)).toEqual(kept);
      expect(await opened.store.deleteTombstones(orders, at(12), 100)).toBe(0);
    });

    it('deletes at most the given number of tombstones, the oldest first', async () => {
      await opened.store.upsert(orders, [tombstone('ord_001', 13), tombstone('ord_002', 11), tombstone('ord_003', 12)]);
      expect(await opened.store.deleteTombstones(orders, at(20), 2)).toBe(2);
      expect(await opened.store.load(orders, ALL)).toEqual([tombstone('ord_001', 13)]);
      expect(await opened.store.deleteTombstones(orders, at(20), 2)).toBe(1);
    });

    it('keeps a document that was created again, and its counts', async () => {
      await opened.store.upsert(orders, [row(order(1), 10), row(order(2), 10)]);
      await opened.store.upsert(orders, [tombstone('ord_001', 11), tombstone('ord_002', 11)]);
      await opened.store.upsert(orders, [row(order(1), 12)]);
      expect(await opened.store.deleteTombstones(orders, at(20), 100)).toBe(1);
      expect(await opened.store.load(orders, ALL)).toEqual([row(order(1), 12)]);
      expect(await opened.store.count(orders, LIVE)).toBe(1);
      await opened.store.upsert(orders, [row(order(2), 13)]);
      expect(await opened.store.count(orders, LIVE)).toBe(2);
    });

    it('counts a group correctly that was empty when its tombstones were deleted', async () => {
      await opened.store.upsert(orders, [row(order(1), 10)]);
      await opened.store.upsert(orders, [tombstone('ord_001', 11)]);
      expect(await opened.store.deleteTombstones(orders, at(11), 100)).toBe(1);
      expect(await opened.store.count(orders, LIVE)).toBe(0);
      await opened.store.upsert(orders, [row(order(1), 12)]);
      expect(await opened.store.count(orders, LIVE)).toBe(1);
    });

    it('accepts a missing collection', async () => {
      expect(await opened.store.deleteTombstones(`${orders}2`, at(20), 100)).toBe(0);
    });
  });
}

export function describeDropping(opened: OpenStore<Pick<Ports, 'models' | 'checkpoints'>>): void {
  describe('dropping a collection', () => {
    it('deletes the checkpoint of that name, and no other', async () => {
      const [one, other] = [`orders${newUuid()}@1`, `orders${newUuid()}@1`];
      await opened.store.models.ensureCollection(one, SCHEMA);
      await opened.store.checkpoints.advanceCheckpoints({ [one]: at(10), [other]: at(11) });
      await opened.store.models.dropCollection(one);
      expect(await opened.store.checkpoints.readCheckpoint(one)).toBe(START);
      expect(await opened.store.checkpoints.listCheckpointNames()).not.toContain(one);
      expect(await opened.store.checkpoints.readCheckpoint(other)).toBe(at(11));
    });
  });
}
