import type { EventOf, Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  describe,
  type DocumentOf,
  enumOf,
  id,
  integer,
  KIND,
  nullable,
  object,
  personalString,
  resource,
  string,
} from '../../kernel/schema.js';
import { entryIdOf, type LedgerEntry, type PointsEvent } from '../domain/points.js';
import { communityFields, creationTime } from './fields.js';

const rewardedUserSchema = object({
  object: describe(enumOf('user'), KIND),
  id: describe(id('usr'), 'The id of the user.'),
  email: describe(
    nullable(personalString),
    'The e-mail address of the user; null for a user without an address, and once the user is forgotten.',
  ),
});

export const pointsAwardSchema = resource('PointsAward', {
  ...communityFields('points_award', 'pta'),
  user: describe(rewardedUserSchema, 'The user whose ledger has this entry.'),
  points: describe(
    integer,
    'The points of the entry; negative for a reversal, or 0 when nothing was left to take.',
    25,
  ),
  source_type: describe(
    string,
    'The kind of the source, as it was sent; `manual` without a source, `challenge` or `onboarding_task` for a reward, `reversal` for a reversal.',
    'course',
  ),
  source_id: describe(
    nullable(string),
    'The id of the source, which pays a member once; the id of the award for a reversal, and null without a source.',
    'lesson-7',
  ),
  balance: describe(integer, 'The balance of the member after the entry.', 25),
  level: describe(integer, 'The level of the member after the entry.', 3),
  leveled_up: describe(boolean, 'Whether the entry gave the member a higher level.', true),
  duplicate: describe(
    boolean,
    'Whether the response repeats an earlier entry; true only for a repeated award or reversal.',
  ),
  created_at: creationTime,
});

export interface PointsAwardDocument extends DocumentOf<typeof pointsAwardSchema> {
  readonly _memberId: string;
  /** A reversal cannot be reversed. */
  readonly _isReversal: boolean;
}

/** The source of a reversal is the award that it reverses. */
const REVERSAL_SOURCE = 'reversal';

/** One document per entry of a ledger. */
export const pointsAwards: Projection<PointsAwardDocument, LedgerEntry> = {
  name: 'pointsAwards',
  version: 3,
  insertOnly: true,
  id: entryIdOf,
  indexes: [
    ['community.id', 'created_at'],
    ['community.id', '_memberId', 'created_at'],
  ],
  totals: [['community.id'], ['community.id', '_memberId']],
  on: {
    PointsAwarded: (_, event) => {
      const { awardId, sourceType, sourceId, leveledUp } = event.data;
      return toEntryDocument(event, {
        id: awardId,
        source_type: sourceType,
        source_id: sourceId,
        leveled_up: leveledUp,
        _isReversal: false,
      });
    },
    PointsReversed: (_, event) => {
      const { reversalId, awardId } = event.data;
      return toEntryDocument(event, {
        id: reversalId,
        source_type: REVERSAL_SOURCE,
        source_id: awardId,
        leveled_up: false,
        _isReversal: true,
      });
    },
  },
};

/** Renders the public events of awards: a kept award is published when it is paid. It is not a read model. */
export const publishedAwards: Projection<PointsAwardDocument, PointsEvent> = {
  name: 'publishedAwards',
  version: 1,
  id: entryIdOf,
  indexes: [],
  on: {
    ...pointsAwards.on,
    PointsPaid: (_, event) => {
      const {
        awardId: id,
        sourceType: source_type,
        sourceId: source_id,
        leveledUp: leveled_up,
        awardedAt,
      } = event.data;
      const fields = { id, source_type, source_id, leveled_up, _isReversal: false };
      return { ...toEntryDocument(event, fields), created_at: awardedAt };
    },
  },
};

type OwnFields = Pick<PointsAwardDocument, 'id' | 'source_type' | 'source_id' | 'leveled_up' | '_isReversal'>;

function toEntryDocument(
  { data, meta }: EventOf<PointsEvent, PointsEvent['type']>,
  { id, source_type, source_id, leveled_up, _isReversal }: OwnFields,
): PointsAwardDocument {
  const { communityId, memberId, userId, email, points, balance, level } = data;
  return {
    id,
    object: 'points_award',
    community: toReference('community', communityId),
    user: { ...toReference('user', userId), email },
    points,
    source_type,
    source_id,
    balance,
    level,
    leveled_up,
    duplicate: false,
    created_at: meta.at,
    _memberId: memberId,
    _isReversal,
  };
}
