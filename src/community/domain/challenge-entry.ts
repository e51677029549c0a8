import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { assertChangeable, type GoalType, type KnownChallenge } from './challenge.js';
import {
  type Activity,
  addCount,
  countActivity,
  findHighestCount,
  isOver,
  mayCount,
  type Progress,
  type ProgressCount,
  startProgress,
  withdrawAward,
} from './challenge-goal.js';

interface EntryIds {
  readonly challengeId: string;
  readonly communityId: string;
  readonly memberId: string;
  readonly userId: string;
}

interface Goal {
  readonly goalType: GoalType;
  readonly goalTarget: number;
}

/**
 * `at` of progress and of the completion is the time of the counted activity, or of the change that lowered the goal.
 * ProgressWithdrawn takes a reversed award from the count. A closed entry counts nothing any more.
 */
export type ChallengeEntryEvent =
  | Fact<'ChallengeJoined', EntryIds & Goal & { at: string }>
  | Fact<'ProgressCounted', EntryIds & Goal & ProgressCount & { at: string }>
  | Fact<'ProgressWithdrawn', EntryIds & { count: number; awardId: string; at: string }>
  | Fact<'ChallengeCompleted', EntryIds & { count: number; goalTarget: number; cpReward: number; at: string }>
  | Fact<'ChallengeEntryClosed', EntryIds & { at: string }>;

interface KnownEntry {
  readonly status: 'open' | 'completed' | 'closed';
  readonly ids: EntryIds;
  readonly joinedAt: string;
  readonly progress: Progress;
}

/** The participation of one user in one challenge. */
export type ChallengeEntry = { readonly status: 'none' } | KnownEntry;

function evolve(entry: ChallengeEntry, event: ChallengeEntryEvent): ChallengeEntry {
  if (event.type === 'ChallengeJoined') {
    const { challengeId, communityId, memberId, userId, goalType, at: joinedAt } = event.data;
    const ids = { challengeId, communityId, memberId, userId };
    return { status: 'open', ids, joinedAt, progress: startProgress(goalType) };
  }
  if (entry.status === 'none') return entry;

  switch (event.type) {
    case 'ProgressCounted': {
      const { goalType, ...counted } = event.data;
      return { ...entry, progress: addCount(toProgress(entry, goalType), counted) };
    }
    case 'ProgressWithdrawn':
      return { ...entry, progress: withdrawAward(entry.progress, event.data.awardId, event.data.count) };
    case 'ChallengeCompleted':
      return { ...entry, status: 'completed', progress: { ...entry.progress, awards: [] } };
    case 'ChallengeEntryClosed':
      return { ...entry, status: 'closed', progress: { ...entry.progress, awards: [] } };
  }
}

/** The count starts again when the challenge counts something else. */
function toProgress({ progress }: KnownEntry, goalType: GoalType): Progress {
  return progress.goalType === goalType ? progress : startProgress(goalType);
}

export type ChallengeEntryCommand = { readonly challenge: KnownChallenge } & (
  | { readonly type: 'JoinChallenge'; readonly memberId: string; readonly userId: string }
  | { readonly type: 'CountProgress' | 'CloseEntry'; readonly activity: Activity }
  | { readonly type: 'WithdrawAward'; readonly awardId: string; readonly at: string }
  | { readonly type: 'CompleteReached'; readonly at: string }
);

function decide(
  command: ChallengeEntryCommand,
  entry: ChallengeEntry,
  { now: at }: DecisionContext,
): readonly ChallengeEntryEvent[] {
  const { challenge } = command;
  switch (command.type) {
    case 'JoinChallenge': {
      if (entry.status !== 'none') return [];
      assertChangeable(challenge, at);
      const { memberId, userId } = command;
      const { id: challengeId, communityId, content } = challenge;
      const { goalType, goalTarget } = content;
      return [
        { type: 'ChallengeJoined', data: { challengeId, communityId, memberId, userId, goalType, goalTarget, at } },
      ];
    }
    case 'CountProgress':
      if (entry.status === 'none') throw Rejection.notFound();
      return countProgress(entry, command.activity, challenge);
    case 'CloseEntry':
      if (entry.status !== 'open' || !isOver(challenge, command.activity.at)) return [];
      return [{ type: 'ChallengeEntryClosed', data: { ...entry.ids, at } }];
    case 'WithdrawAward':
      return entry.status === 'open' ? withdraw(entry, command.awardId, command.at) : [];
    case 'CompleteReached':
      return entry.status === 'open' ? completeReached(entry, challenge, command.at) : [];
  }
}

/** A reversed award counts nowhere. A completed goal stays completed. */
function withdraw({ ids, progress }: KnownEntry, awardId: string, at: string): ChallengeEntryEvent[] {
  const amount = progress.awards.find(([id]) => id === awardId)?.[1];
  if (amount === undefined) return [];
  return [{ type: 'ProgressWithdrawn', data: { ...ids, count: progress.count - amount, awardId, at } }];
}

/** Completes an entry whose count has reached the goal already, because the goal was lowered. */
function completeReached(entry: KnownEntry, { status, content }: KnownChallenge, at: string): ChallengeEntryEvent[] {
  const { goalType, goalTarget, cpReward } = content;
  const count = findHighestCount(toProgress(entry, goalType));
  if (status === 'cancelled' || count < goalTarget) return [];
  return [{ type: 'ChallengeCompleted', data: { ...entry.ids, count, goalTarget, cpReward, at } }];
}

/** Activities count from the start of the challenge and from joining, until the end of the challenge. */
function countProgress(entry: KnownEntry, activity: Activity, challenge: KnownChallenge): ChallengeEntryEvent[] {
  if (entry.status !== 'open' || activity.at < entry.joinedAt || !mayCount(activity, challenge)) return [];

  const { goalType, goalTarget, cpReward } = challenge.content;
  const next = countActivity(activity, toProgress(entry, goalType), challenge);
  if (next === null) return [];

  const { ids } = entry;
  const { at } = activity;
  const counted = { type: 'ProgressCounted', data: { ...ids, goalType, goalTarget, ...next, at } } as const;
  if (next.count < goalTarget) return [counted];
  return [counted, { type: 'ChallengeCompleted', data: { ...ids, count: next.count, goalTarget, cpReward, at } }];
}

export const challengeEntryDecider: Decider<ChallengeEntry, ChallengeEntryCommand, ChallengeEntryEvent> = {
  category: 'challengeEntry',
  versions: {
    ChallengeJoined: 1,
    ProgressCounted: 2,
    ProgressWithdrawn: 1,
    ChallengeCompleted: 1,
    ChallengeEntryClosed: 1,
  },
  initial: { status: 'none' },
  evolve,
  decide,
};

export function challengeEntryIdOf(challengeId: string, userId: string): string {
  return idOf('entry', 0, challengeId, userId);
}
