import { enterOnce, findEarlierEvent } from '../../engine/streams/event-search.js';
import type { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type Position, START } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { communityDecider } from '../domain/community.js';
import type { LevelRules } from '../domain/levels.js';
import { memberDecider } from '../domain/member.js';
import { type Award, pointsDecider, type PointsEvent } from '../domain/points.js';

/**
 * Enters an award into the member's ledger, once per award id, and returns the entry.
 * @param reserved the PointsReserved event of its source; null for an award without a source, whose id is unique
 */
export async function enterAward(
  streams: Streams,
  award: Award,
  context: Context,
  reserved: RecordedEvent | null,
): Promise<RecordedEvent> {
  const levelRules = await loadLevelRules(streams, award);
  const enter = async (searched: number) => {
    const command = { type: 'AwardPoints', award, levelRules, since: reserved?.meta.at ?? null, searched } as const;
    const { recorded, state } = await streams.execute(
      pointsDecider,
      award.memberId,
      command,
      createChildContext(context, 'credit'),
    );
    return { entry: recorded[0], count: state.entries };
  };
  return enterOnce(enter, () => findEntry(streams, award, reserved?.position ?? START));
}

function findEntry(streams: Streams, { awardId, memberId }: Award, since: Position): Promise<RecordedEvent | null> {
  return findEarlierEvent(
    streams,
    pointsDecider,
    memberId,
    since,
    ({ data }) => (data as PointsEvent['data']).awardId === awardId,
  );
}

async function loadLevelRules(streams: Streams, { communityId, memberId }: Award): Promise<LevelRules> {
  const [communityState, memberState] = await Promise.all([
    streams.loadState(communityDecider, communityId),
    streams.loadState(memberDecider, memberId),
  ]);
  if (communityState.status === 'unknown' || memberState.status === 'unknown') throw Rejection.notFound();
  return { levels: communityState.levels, minimumLevel: memberState.minimumLevel };
}
