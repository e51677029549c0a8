import { createMapBaseline, type Decider, type DecisionContext } from '../../kernel/decider.js';
import type { Fact, Mode } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/** The locks of the active replay jobs of a business in one mode. An endpoint has at most one active job. */
export type ReplayLockEvent =
  | Fact<'ReplayLockAcquired', { replayJobId: string; endpointId: string | null; at: string }>
  | Fact<'ReplayLockReleased', { replayJobId: string }>;

export interface ReplayLock {
  /** Null locks every endpoint. */
  readonly endpointId: string | null;
  readonly at: string;
}

/** The locks by job id. */
export type ReplayLocks = ReadonlyMap<string, ReplayLock>;

function evolve(locks: ReplayLocks, event: ReplayLockEvent): ReplayLocks {
  const next = new Map(locks);
  switch (event.type) {
    case 'ReplayLockAcquired':
      return next.set(event.data.replayJobId, event.data);
    case 'ReplayLockReleased':
      next.delete(event.data.replayJobId);
      return next;
  }
}

export type ReplayLockCommand =
  | { readonly type: 'AcquireReplayLock'; readonly replayJobId: string; readonly endpointId: string | null }
  | { readonly type: 'ReleaseReplayLock'; readonly replayJobId: string };

function decide(command: ReplayLockCommand, locks: ReplayLocks, { now }: DecisionContext): readonly ReplayLockEvent[] {
  const { replayJobId } = command;
  switch (command.type) {
    case 'AcquireReplayLock': {
      const { endpointId } = command;
      if (locks.has(replayJobId)) return [];
      assertNoConflict(endpointId, locks);
      return [{ type: 'ReplayLockAcquired', data: { replayJobId, endpointId, at: now } }];
    }
    case 'ReleaseReplayLock':
      return locks.has(replayJobId) ? [{ type: 'ReplayLockReleased', data: { replayJobId } }] : [];
  }
}

function assertNoConflict(endpointId: string | null, locks: ReplayLocks): void {
  const [active] = findConflictingJobs(endpointId, locks);
  if (active !== undefined)
    throw new Rejection('replay_job_conflict', `The replay job ${active} is active for the same endpoint.`);
}

/** Returns the jobs that lock this endpoint or, when it is null, any endpoint. */
export function findConflictingJobs(endpointId: string | null, locks: ReplayLocks): readonly string[] {
  return [...locks]
    .filter(([, place]) => endpointId === null || [null, endpointId].includes(place.endpointId))
    .map(([job]) => job);
}

export const replayLockDecider: Decider<ReplayLocks, ReplayLockCommand, ReplayLockEvent> = {
  category: 'replayLock',
  unbounded: true,
  baseline: createMapBaseline(1),
  versions: { ReplayLockAcquired: 1, ReplayLockReleased: 1 },
  initial: new Map(),
  evolve,
  decide,
};

export function replayLockIdOf(business: string, mode: Mode): string {
  return `${business}-${mode}`;
}
