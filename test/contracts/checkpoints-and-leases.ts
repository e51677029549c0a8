import type { Checkpoints } from '../../src/kernel/checkpoints.js';
import { newUuid } from '../../src/kernel/ids.js';
import type { Leases } from '../../src/kernel/leases.js';
import { at } from './documents.js';
import type { OpenStore } from './open-store.js';

const LEASE_MS = 1_000;

export function describeCheckpoints(opened: OpenStore<Checkpoints>): void {
  describe('checkpoints', () => {
    it('start before every event, move forward and never back', async () => {
      const [a, b] = [newUuid(), newUuid()];
      expect(await opened.store.readCheckpoint(a)).toBe('');

      await opened.store.advanceCheckpoints({ [a]: at(5), [b]: at(5) });
      await opened.store.advanceCheckpoints({ [a]: at(4), [b]: at(6) });

      expect([await opened.store.readCheckpoint(a), await opened.store.readCheckpoint(b)]).toEqual([at(5), at(6)]);
    });

    it('can be moved back by name when they are after the given position', async () => {
      const [ahead, lagging, other] = [newUuid(), newUuid(), newUuid()];
      await opened.store.advanceCheckpoints({ [ahead]: at(9), [lagging]: at(3), [other]: at(9) });
      await opened.store.rewindCheckpoints([ahead, lagging, newUuid()], at(5));

      expect(await Promise.all([ahead, lagging, other].map((name) => opened.store.readCheckpoint(name)))).toEqual([
        at(5),
        at(3),
        at(9),
      ]);
      await opened.store.advanceCheckpoints({ [ahead]: at(6) });
      expect(await opened.store.readCheckpoint(ahead)).toBe(at(6));
    });

    it('are listed by name', async () => {
      const [a, b] = [newUuid(), newUuid()];
      const before = await opened.store.listCheckpointNames();
      await opened.store.advanceCheckpoints({ [a]: at(5), [b]: at(5) });

      expect((await opened.store.listCheckpointNames()).sort()).toEqual([...before, a, b].sort());
    });
  });
}

export function describeLeases(opened: OpenStore<Leases>): void {
  describe('leases', () => {
    let lease: string;
    beforeEach(() => {
      lease = newUuid();
    });

    it('belong to one holder until they end', async () => {
      const first = await opened.store.acquireLease(lease, 'one', LEASE_MS);
      expect(first).not.toBeNull();
      expect(await opened.store.acquireLease(lease, 'two', LEASE_MS)).toBeNull();
      expect(await opened.store.acquireLease(lease, 'one', LEASE_MS)).toBe(first);

      await opened.advanceTime(LEASE_MS + 1);
      expect(await opened.store.acquireLease(lease, 'two', LEASE_MS)).toBeGreaterThan(first!);
      expect(await opened.store.acquireLease(lease, 'one', LEASE_MS)).toBeNull();
    });

    it('last longer when they are renewed', async () => {
      await opened.store.acquireLease(lease, 'one', LEASE_MS);
      await opened.advanceTime(LEASE_MS / 2);
      await opened.store.acquireLease(lease, 'one', LEASE_MS);
      await opened.advanceTime(LEASE_MS / 2 + 1);

      expect(await opened.store.acquireLease(lease, 'two', LEASE_MS)).toBeNull();
    });

    it('can be released only by their holder, and the next token is higher', async () => {
      const first = await opened.store.acquireLease(lease, 'one', LEASE_MS);
      await opened.store.releaseLease(lease, 'two');
      expect(await opened.store.acquireLease(lease, 'two', LEASE_MS)).toBeNull();

      await opened.store.releaseLease(lease, 'one');
      expect(await opened.store.acquireLease(lease, 'two', LEASE_MS)).toBeGreaterThan(first!);
    });
  });
}
