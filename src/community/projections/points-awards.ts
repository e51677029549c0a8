import type { EventOf, Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  boolean,
  dateTime,
  type DocumentOf,
  enumOf,
  id,
  integer,
  nullable,
  object,
  personalString,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { entryIdOf, type PointsEvent } from '../domain/points.js';

export const pointsAwardSchema = resource('PointsAward', {
  id: id('pta'),
  object: enumOf('points_award'),
  community: ref('community', 'com'),
  user: object({ object: enumOf('user'), id: id('usr'), email: nullable(personalString) }),
  /** Negative for a reversal. */
  points: integer,
  source_type: string,
  source_id: nullable(string),
  /** The balance that resulted from the entry. */
  balance: integer,
  level: integer,
  leveled_up: boolean,
  /** True only in the response to a repeated award or reversal. */
  duplicate: boolean,
  created_at: dateTime,
});

export interface PointsAwardDocument extends DocumentOf<typeof pointsAwardSchema> {
  readonly _memberId: string;
  /** A reversal cannot be reversed. */
  readonly _isReversal: boolean;
}

/** The source of a reversal is the award that it reverses. */
const REVERSAL_SOURCE = 'reversal';

/** One document per entry of a ledger. */
export const pointsAwards: Projection<PointsAwardDocument, PointsEvent> = {
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
