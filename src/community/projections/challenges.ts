import { omitUndefined } from '../../kernel/omit-undefined.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  integer,
  nullable,
  resource,
  string,
} from '../../kernel/schema.js';
import {
  CHALLENGE_STATUSES,
  type ChallengeContent,
  type ChallengeEvent,
  determineStatus,
  GOAL_TYPES,
} from '../domain/challenge.js';
import type { ChallengeEntryEvent } from '../domain/challenge-entry.js';
import { communityFields, creationTime, creatorReference, rewardSchema } from './fields.js';

/** The description of the goal type. */
export const GOAL_TYPE =
  'The unit of the goal: posts, comments, points (`cp`), days in a row with a post or a comment (`streak`), completed onboarding tasks (`missions`), or awards of the source type `challenge_custom` (`custom`).';

export const challengeSchema = resource('Challenge', {
  ...communityFields('challenge', 'chal'),
  title: describe(string, 'The title that members see.', 'Ten posts in a month'),
  description: describe(
    nullable(string),
    'The text that explains the challenge; null for none.',
    'Share your progress.',
  ),
  goal_type: describe(enumOf(...GOAL_TYPES), GOAL_TYPE),
  goal_target: describe(integer, 'The count at which a member completes the challenge.', 10),
  cp_reward: rewardSchema,
  prize_description: describe(
    nullable(string),
    'The text about a prize besides the points; null for none.',
    'A signed copy of the book.',
  ),
  starts_at: describe(dateTime, 'The time from which activities count.'),
  ends_at: describe(
    nullable(dateTime),
    'The time before which activities count; null for a challenge without an end.',
    '2099-12-31T23:59:59.000Z',
  ),
  deadline_timezone: describe(
    string,
    'The IANA time zone in which to display the end; it does not move the end.',
    'Europe/Berlin',
  ),
  status: describe(
    enumOf(...CHALLENGE_STATUSES),
    'Whether the challenge starts later (`scheduled`), is open (`active`), is past its end (`ended`), or was `cancelled`.',
  ),
  created_by: creatorReference,
  created_at: creationTime,
  updated_at: describe(dateTime, 'The time of the latest edit or of the cancellation; before one, of the creation.'),
  cancelled_at: describe(nullable(dateTime), 'The time at which the challenge was cancelled, or null before that.'),
  participant_count: describe(integer, 'The number of members who have joined the challenge.'),
});

export type ChallengeDocument = DocumentOf<typeof challengeSchema>;
/** The participants are facts of other streams. */
type ChallengeChangeDocument = Omit<ChallengeDocument, 'participant_count'>;

/** The status is that of the latest change; `showChallenge` determines the current one. */
export const challenges: Projection<
  ChallengeDocument,
  ChallengeEvent | Extract<ChallengeEntryEvent, { type: 'ChallengeJoined' }>
> = {
  name: 'challenges',
  version: 2,
  counts: ['participant_count'],
  id: pickId('challengeId'),
  indexes: [['community.id', 'cancelled_at', 'created_at']],
  totals: [['community.id', 'cancelled_at']],
  on: {
    ChallengeCreated: (_, event) => ({ ...toChallenge(event), participant_count: 0 }),
    ChallengeEdited: (found, event) => found && edit(found, event),
    ChallengeStarted: (found) => found && { ...found, status: 'active' },
    ChallengeEnded: (found) => found && { ...found, status: 'ended' },
    ChallengeCancelled: (found, event) => found && cancel(found, event),
    ChallengeJoined: (found) => found && { ...found, participant_count: found.participant_count + 1 },
  },
};

/** Renders the challenge in the change history. It is not a read model. */
export const challengeChanges: Projection<ChallengeChangeDocument, ChallengeEvent> = {
  name: 'challengeChanges',
  version: 1,
  id: pickId('challengeId'),
  indexes: [],
  on: {
    ChallengeCreated: (_, event) => toChallenge(event),
    ChallengeEdited: (found, event) => found && edit(found, event),
    ChallengeStarted: (found) => found && { ...found, status: 'active' },
    ChallengeEnded: (found) => found && { ...found, status: 'ended' },
    ChallengeCancelled: (found, event) => found && cancel(found, event),
  },
};

function toChallenge({ data }: EventOf<ChallengeEvent, 'ChallengeCreated'>): ChallengeChangeDocument {
  return {
    id: data.challengeId,
    object: 'challenge',
    community: toReference('community', data.communityId),
    title: data.title,
    description: data.description,
    goal_type: data.goalType,
    goal_target: data.goalTarget,
    cp_reward: data.cpReward,
    prize_description: data.prizeDescription,
    starts_at: data.startsAt,
    ends_at: data.endsAt,
    deadline_timezone: data.deadlineTimezone,
    status: determineStatus(data, data.at),
    created_by: toReference('user', data.createdBy),
    created_at: data.at,
    updated_at: data.at,
    cancelled_at: null,
  };
}

function edit<D extends ChallengeChangeDocument>(found: D, { data }: EventOf<ChallengeEvent, 'ChallengeEdited'>): D {
  return showChallenge({ ...found, ...toContentFields(data.changes), updated_at: data.at }, data.at);
}

function toContentFields(changes: Partial<ChallengeContent>) {
  const { goalType, goalTarget, cpReward, prizeDescription, startsAt, endsAt, deadlineTimezone, ...same } = changes;
  return omitUndefined({
    ...same,
    goal_type: goalType,
    goal_target: goalTarget,
    cp_reward: cpReward,
    prize_description: prizeDescription,
    starts_at: startsAt,
    ends_at: endsAt,
    deadline_timezone: deadlineTimezone,
  });
}

function cancel<D extends ChallengeChangeDocument>(
  found: D,
  { data: { at } }: EventOf<ChallengeEvent, 'ChallengeCancelled'>,
): D {
  return { ...found, status: 'cancelled', updated_at: at, cancelled_at: at };
}

/** Returns the challenge with its status at this time. */
export function showChallenge<D extends ChallengeChangeDocument>(found: D, now: string): D {
  if (found.cancelled_at !== null) return found;
  return { ...found, status: determineStatus({ startsAt: found.starts_at, endsAt: found.ends_at }, now) };
}
