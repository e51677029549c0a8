import { AsyncLocalStorage } from 'node:async_hooks';
import { JobRuns } from '../../../src/engine/reacting/job-runs.js';
import { Reactions } from '../../../src/engine/reacting/reactors.js';
import type { Clock } from '../../../src/kernel/clock.js';
import type { FollowOptions } from '../../../src/kernel/event-store.js';
import { later, START, type Position } from '../../../src/kernel/position.js';
import { ClusterStore } from '../cluster/cluster-store.js';
import { allOf, replace, type Plant } from './plant.js';

/** The mutation reuses a barrier for this time. */
const SHARED_FOR_MS = 2_000;

export const cluster: readonly Plant[] = [
  {
    name: 'a barrier is taken before the read is requested',
    foundAt: 9,
    plant: () => {
      const taken = new WeakMap<object, { readonly at: number; readonly position: Promise<Position> }>();
      return replace(ClusterStore, 'confirmed', (store: { readonly barrier: { readonly clock: Clock } }, confirmed) => {
        const now = store.barrier.clock.monotonic();
        const before = taken.get(store);
        if (before !== undefined && now - before.at < SHARED_FOR_MS) return before.position;
        const position = confirmed() as Promise<Position>;
        taken.set(store, { at: now, position });
        position.catch(() => taken.delete(store));
        return position;
      });
    },
  },
  {
    name: 'a read uses a node without an acknowledged write',
    foundAt: 115,
    plant: () => replace(ClusterStore, 'from', (_, from, __: Position, read: unknown) => from(START, read)),
  },
  {
    name: 'a reactor reads without a barrier and returns',
    foundAt: 105,
    plant: () => withoutBarrier(Reactions, 'reactOrPark'),
  },
  {
    name: 'a job reads without a barrier and completes',
    foundAt: 70,
    plant: () => withoutBarrier(JobRuns, 'run'),
  },
  {
    name: 'a follower starts at the highest position that its process has seen',
    foundAt: 2,
    plant: () =>
      replace(ClusterStore, 'follow', ({ seen }: { readonly seen: Position }, follow, options: FollowOptions, signal: AbortSignal) =>
        follow({ ...options, after: later(options.after, seen) }, signal),
      ),
  },
];

/** Removes the barrier from every read inside this method. */
function withoutBarrier(of: { readonly prototype: object }, method: string): () => void {
  const unchecked = new AsyncLocalStorage<true>();
  return allOf(
    replace(of, method, (_, original, ...args: unknown[]) => unchecked.run(true, () => original(...args) as unknown)),
    replace(ClusterStore, 'confirmed', (_, confirmed) => (unchecked.getStore() ? Promise.resolve(START) : (confirmed() as unknown))),
  );
}
