import type { Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  KIND,
  nullable,
  ref,
  resource,
} from '../../kernel/schema.js';
import type { ChallengeContent, GoalType } from '../domain/challenge.js';
import { type ChallengeEntryEvent, challengeEntryIdOf } from '../domain/challenge-entry.js';
import { countCurrentStreak, findHighestCount } from '../domain/challenge-goal.js';

export const challengeProgressSchema = resource('ChallengeProgress', {
  object: describe(enumOf('challenge_progress'), KIND),
  challenge: describe(ref('challenge', 'chal'), 'The challenge that the user has joined.'),
  user: describe(ref('user', 'usr'), 'The user who takes part.'),
  joined_at: describe(dateTime, 'The time at which the user joined the challenge.'),
  count: describe(integer, 'The activities counted so far, in the unit of the goal; 0 for a streak that is broken.', 3),
  goal_target: describe(integer, 'The count that completes the challenge; fixed once the user has completed it.', 10),
  completed_at: describe(nullable(dateTime), 'The time at which the user reached the goal, or null before that.'),
});

export interface ChallengeEntryDocument extends DocumentOf<typeof challengeProgressSchema> {
  readonly _id: string;
  readonly _community: string;
  readonly _open: boolean;
  readonly _goalType: GoalType;
  /** The days of a streak, in UTC; empty for other goals. */
  readonly _days: readonly string[];
  /** The highest count so far. A goal that is lowered completes those who have reached it. */
  readonly _reached: number;
}

/** The progress of each participant. By it, activities find the entries for which they count. */
export const challengeEntries: Projection<ChallengeEntryDocument, ChallengeEntryEvent> = {
  name: 'challengeEntries',
  version: 2,
  stopOnPoison: true,
  id: ({ data }) => challengeEntryIdOf(data.challengeId, data.userId),
  indexes: [
    ['_community', 'user.id', '_open', 'joined_at'],
    ['challenge.id', '_open', '_goalType', '_reached'],
  ],
  on: {
    ChallengeJoined: (_, { data }, _id) => ({
      object: 'challenge_progress',
      challenge: toReference('challenge', data.challengeId),
      user: toReference('user', data.userId),
      joined_at: data.at,
      count: 0,
      goal_target: data.goalTarget,
      completed_at: null,
      _id,
      _community: data.communityId,
      _open: true,
      _goalType: data.goalType,
      _days: [],
      _reached: 0,
    }),
    ProgressCounted: (found, { data: { count, goalTarget, goalType, day } }) => {
      if (found === null) return null;
      const before = found._goalType === goalType ? found._days : [];
      const days = day === null ? before : [...before, day];
      const _reached = findHighestCount({ goalType, count, days });
      return { ...found, count, goal_target: goalTarget, _goalType: goalType, _days: days, _reached };
    },
    ProgressWithdrawn: (found, { data: { count } }) => found && { ...found, count, _reached: count },
    ChallengeCompleted: (found, { data: { count, goalTarget, at } }) =>
      found && { ...found, count, goal_target: goalTarget, completed_at: at, _open: false },
    ChallengeEntryClosed: (found) => found && { ...found, _open: false },
  },
};

/** Returns the progress towards the present goal of the challenge. A completed goal stays as it was. */
export function showProgress(found: ChallengeEntryDocument, content: ChallengeContent, now: string) {
  if (found.completed_at !== null) return found;
  return { ...found, count: determineCount(found, content, now), goal_target: content.goalTarget };
}

/** The end of a challenge stops its streaks: they are not broken later. */
function determineCount(
  { _goalType, _days, count }: ChallengeEntryDocument,
  { goalType, endsAt }: ChallengeContent,
  now: string,
): number {
  if (_goalType !== goalType) return 0;
  return goalType === 'streak' ? countCurrentStreak(_days, endsAt !== null && endsAt < now ? endsAt : now) : count;
}
