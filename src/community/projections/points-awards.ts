import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { pickId, type Projection } from '../../kernel/projection.js';
import { type Reference, toReference } from '../../kernel/reference.js';
import type { PointsEvent } from '../domain/points.js';

export interface PointsAwardDocument extends Reference<'points_award'> {
  readonly community: Reference<'community'>;
  readonly user: Reference<'user'> & { readonly email: EncryptedField | null };
  readonly points: number;
  readonly source_type: string;
  readonly source_id: string | null;
  /** The balance that resulted from the award. */
  readonly balance: number;
  readonly level: number;
  readonly leveled_up: boolean;
  /** True only in the response to a repeated award. */
  readonly duplicate: boolean;
  readonly created_at: string;
}

/** One document per entry of a ledger. */
export const pointsAwards: Projection<PointsAwardDocument> = {
  name: 'pointsAwards',
  version: 1,
  id: pickId('awardId'),
  indexes: [['community.id', 'user.id', 'created_at']],
  totals: [['community.id', 'user.id']],
  on: {
    PointsAwarded: (_, { data }: RecordedEvent<string, PointsEvent['data']>) => toAwardDocument(data),
  },
};

function toAwardDocument(data: PointsEvent['data']): PointsAwardDocument {
  const { awardId, communityId, userId, email, points, sourceType, sourceId, balance, level, leveledUp, at } = data;
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
    created_at: at,
  };
}
