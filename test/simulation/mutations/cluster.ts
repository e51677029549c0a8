import { AsyncLocalStorage } from 'node:async_hooks';
import { JobRunner } from '../../../src/engine/reactors/job-runner.js';
import { ReactorConsumer } from '../../../src/engine/reactors/reactor-consumer.js';
import type { Clock } from '../../../src/kernel/clock.js';
import type { FollowOptions } from '../../../src/kernel/event-store.js';
import { pickLater, type Position, START } from '../../../src/kernel/position.js';
import { ClusterStore } from '../cluster/cluster-store.js';
import { combine, type Mutation, replaceMethod } from './mutation.js';

/** The mutation reuses a barrier for this time. */
const REUSED_FOR_MS = 2_000;

export const clusterMutations: readonly Mutation[] = [
  {
    name: 'a barrier is taken before the read is requested',
    foundAt: 9,
    insert: () => {
      const taken = new WeakMap<object, { readonly at: number; readonly position: Promise<Position> }>();
      return replaceMethod(
        ClusterStore,
        'confirmPosition',
        (store: { readonly barrier: { readonly clock: Clock } }, confirmed) => {
          const now = store.barrier.clock.monotonic();
          const before = taken.get(store);
          if (before !== undefined && now - before.at < REUSED_FOR_MS) return before.position;
          const position = confirmed() as Promise<Position>;
          taken.set(store, { at: now, position });
          position.catch(() => taken.delete(store));
          return position;
        },
      );
    },
  },
  {
    name: 'a read uses a node without an acknowledged write',
    foundAt: 76,
    insert: () => replaceMethod(ClusterStore, 'from', (_, from, __: Position, read: unknown) => from(START, read)),
  },
  {
    name: 'a reactor reads without a barrier and returns',
    foundAt: null,
    insert: () => removeBarrier(ReactorConsumer, 'reactOrPark'),
  },
  {
    name: 'a job reads without a barrier and completes',
    foundAt: 124,
    insert: () => removeBarrier(JobRunner, 'run'),
  },
  {
    name: 'a follower starts at the highest position that its process has seen',
    foundAt: 2,
    insert: () =>
      replaceMethod(
        ClusterStore,
        'follow',
        ({ seen }: { readonly seen: Position }, follow, options: FollowOptions, signal: AbortSignal) =>
          follow({ ...options, after: pickLater(options.after, seen) }, signal),
      ),
  },
];

/** Removes the barrier from every read inside this method. */
function removeBarrier(of: { readonly prototype: object }, method: string): () => void {
  const unchecked = new AsyncLocalStorage<true>();
  return combine(
    replaceMethod(of, method, (_, original, ...args: unknown[]) =>
      unchecked.run(true, () => original(...args) as unknown),
    ),
    replaceMethod(ClusterStore, 'confirmPosition', (_, confirmed) =>
      unchecked.getStore() ? Promise.resolve(START) : (confirmed() as unknown),
    ),
  );
}
