import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { uuidV5 } from '../../kernel/ids.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Award } from './points.js';

/** Never changes, because stream ids are derived from it. */
const NAMESPACE = 'de9c47e6-4732-4d14-84e0-87d367e605d1';

export interface SourcedAward extends Award {
  readonly sourceId: string;
}

export function hasSource(award: Award): award is SourcedAward {
  return award.sourceId !== null;
}

/** A source pays each member of a community once. A reversal does not free the source. */
export type PointsSourceEvent = Fact<'PointsReserved', SourcedAward>;

export type PointsSource = { readonly status: 'free' } | { readonly status: 'reserved'; readonly award: SourcedAward };

type SourceIds = Pick<SourcedAward, 'communityId' | 'memberId' | 'sourceType' | 'sourceId'>;

export function pointsSourceIdOf({ communityId, memberId, sourceType, sourceId }: SourceIds): string {
  return uuidV5(NAMESPACE, communityId, memberId, sourceType, sourceId);
}

function evolve(_: PointsSource, { data }: PointsSourceEvent): PointsSource {
  return { status: 'reserved', award: data };
}

export interface PointsSourceCommand {
  readonly type: 'ReservePoints';
  readonly award: SourcedAward;
}

function decide({ award }: PointsSourceCommand, state: PointsSource): readonly PointsSourceEvent[] {
  if (state.status === 'free') return [{ type: 'PointsReserved', data: award }];
  if (state.award.points !== award.points) throw createAlreadyAwardedRejection(state.award.points);
  return [];
}

function createAlreadyAwardedRejection(points: number): Rejection {
  return new Rejection('points_already_awarded', `This source has already paid the member ${points} points.`, 'points');
}

export const pointsSourceDecider: Decider<PointsSource, PointsSourceCommand, PointsSourceEvent> = {
  category: 'pointsSource',
  versions: { PointsReserved: 1 },
  initial: { status: 'free' },
  evolve,
  decide,
};
