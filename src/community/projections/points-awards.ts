import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
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
import type { PointsEvent } from '../domain/points.js';

export const pointsAwardSchema = resource('PointsAward', {
  id: id('pta'),
  object: enumOf('points_award'),
  community: ref('community', 'com'),
  user: object({ object: enumOf('user'), id: id('usr'), email: nullable(personalString) }),
  points: integer,
  source_type: string,
  source_id: nullable(string),
  /** The balance that resulted from the award. */
  balance: integer,
  level: integer,
  leveled_up: boolean,
  /** True only in the response to a repeated award. */
  duplicate: boolean,
  created_at: dateTime,
});

export type PointsAwardDocument = DocumentOf<typeof pointsAwardSchema>;

/** One document per entry of a ledger. */
export const pointsAwards: Projection<PointsAwardDocument, PointsEvent> = {
  name: 'pointsAwards',
  version: 1,
  id: pickId('awardId'),
  indexes: [['community.id', 'user.id', 'created_at']],
  totals: [['community.id', 'user.id']],
  on: {
    PointsAwarded: (_, event) => toAwardDocument(event),
  },
};

function toAwardDocument({ data, meta }: EventOf<PointsEvent, 'PointsAwarded'>): PointsAwardDocument {
  const { awardId, communityId, userId, email, points, sourceType, sourceId, balance, level, leveledUp } = data;
  return {
    id: awardId,
    object: 'points_award',
    community: toReference('community', communityId),
    user: { ...toReference('user', userId), email },
    points,
    source_type: sourceType,
    source_id: sourceId,
    balance,
    level,
    leveled_up: leveledUp,
    duplicate: false,
    created_at: meta.at,
  };
}
