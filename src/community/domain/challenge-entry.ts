import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import { assertChangeable, type GoalType, type KnownChallenge } from './challenge.js';
import { type Activity, countActivity, isOver, mayCount, type Progress } from './challenge-goal.js';

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

/** `at` of progress and of the completion is the time of the counted activity. A closed entry counts nothing any more. */
export type ChallengeEntryEvent =
  | Fact<'ChallengeJoined', EntryIds & Goal & { at: string }>
  | Fact<'ProgressCounted', EntryIds & Goal & { count: number; day: string | null; at: string }>
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
      const { goalType, count, day } = event.data;
      const { days } = toProgress(entry, goalType);
      return { ...entry, progress: { goalType, count, days: day === null ? days : [...days, day] } };
    }
    case 'ChallengeCompleted':
      return { ...entry, status: 'completed' };
    case 'ChallengeEntryClosed':
      return { ...entry, status: 'closed' };
  }
}

/** The count starts again when the challenge counts something else. */
function toProgress({ progress }: KnownEntry, goalType: GoalType): Progress {
  return progress.goalType === goalType ? progress : startProgress(goalType);
}

function startProgress(goalType: GoalType): Progress {
  return { goalType, count: 0, days: [] };
}

export type ChallengeEntryCommand = { readonly challenge: KnownChallenge } & (
  | { readonly type: 'JoinChallenge'; readonly memberId: string; readonly userId: string }
  | { readonly type: 'CountProgress' | 'CloseEntry'; readonly activity: Activity }
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
  }
}

/** Activities count from the start of the challenge and from joining, until the end of the challenge. */
function countProgress(entry: KnownEntry, activity: Activity, challenge: KnownChallenge): ChallengeEntryEvent[] {
  if (entry.status !== 'open' || activity.at < entry.joinedAt || !mayCount(activity, challenge)) return [];

  const { goalType, goalTarget, cpReward } = challenge.content;
  const step = countActivity(activity, toProgress(entry, goalType), challenge);
  if (step === null) return [];

  const { ids } = entry;
  const { at } = activity;
  const counted = { type: 'ProgressCounted', data: { ...ids, goalType, goalTarget, ...step, at } } as const;
  if (step.count < goalTarget) return [counted];
  return [counted, { type: 'ChallengeCompleted', data: { ...ids, count: step.count, goalTarget, cpReward, at } }];
}

export const challengeEntryDecider: Decider<ChallengeEntry, ChallengeEntryCommand, ChallengeEntryEvent> = {
  category: 'challengeEntry',
  versions: { ChallengeJoined: 1, ProgressCounted: 1, ChallengeCompleted: 1, ChallengeEntryClosed: 1 },
  initial: { status: 'none' },
  evolve,
  decide,
};

export function challengeEntryIdOf(challengeId: string, userId: string): string {
  return idOf('entry', 0, challengeId, userId);
}
