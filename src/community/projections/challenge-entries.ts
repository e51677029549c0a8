import type { Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import { dateTime, type DocumentOf, enumOf, integer, nullable, ref, resource } from '../../kernel/schema.js';
import type { ChallengeContent, GoalType } from '../domain/challenge.js';
import { type ChallengeEntryEvent, challengeEntryIdOf } from '../domain/challenge-entry.js';

export const challengeProgressSchema = resource('ChallengeProgress', {
  object: enumOf('challenge_progress'),
  challenge: ref('challenge', 'chal'),
  user: ref('user', 'usr'),
  joined_at: dateTime,
  count: integer,
  goal_target: integer,
  completed_at: nullable(dateTime),
});

export interface ChallengeEntryDocument extends DocumentOf<typeof challengeProgressSchema> {
  readonly _community: string;
  readonly _open: boolean;
  readonly _goalType: GoalType;
}

/** The progress of each participant. By it, activities find the entries for which they count. */
export const challengeEntries: Projection<ChallengeEntryDocument, ChallengeEntryEvent> = {
  name: 'challengeEntries',
  version: 1,
  stopOnPoison: true,
  id: ({ data }) => challengeEntryIdOf(data.challengeId, data.userId),
  indexes: [['_community', 'user.id', '_open', 'joined_at']],
  on: {
    ChallengeJoined: (_, { data }) => ({
      object: 'challenge_progress',
      challenge: toReference('challenge', data.challengeId),
      user: toReference('user', data.userId),
      joined_at: data.at,
      count: 0,
      goal_target: data.goalTarget,
      completed_at: null,
      _community: data.communityId,
      _open: true,
      _goalType: data.goalType,
    }),
    ProgressCounted: (found, { data: { count, goalTarget, goalType } }) =>
      found && { ...found, count, goal_target: goalTarget, _goalType: goalType },
    ChallengeCompleted: (found, { data }) => found && { ...found, completed_at: data.at, _open: false },
    ChallengeEntryClosed: (found) => found && { ...found, _open: false },
  },
};

/** Returns the progress towards the present goal of the challenge. A completed goal stays as it was. */
export function showProgress(found: ChallengeEntryDocument, { goalType, goalTarget }: ChallengeContent) {
  if (found.completed_at !== null) return found;
  return { ...found, count: found._goalType === goalType ? found.count : 0, goal_target: goalTarget };
}
