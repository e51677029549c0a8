import { earlierEvent, entered } from '../../engine/streams/earlier.js';
import type { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { START, type Position } from '../../kernel/position.js';
import { Rejection } from '../../kernel/rejection.js';
import { community } from '../domain/community.js';
import type { Climb } from '../domain/levels.js';
import { member } from '../domain/member.js';
import { points, type Award, type PointsEvent } from '../domain/points.js';

/**
 * Enters an award into the member's ledger, once per award id, and returns the entry.
 * @param reserved the PointsReserved event of its source; null for an award without a source, whose id is unique
 */
export async function credit(streams: Streams, award: Award, context: Context, reserved: Recorded | null): Promise<Recorded> {
  const climb = await climbOf(streams, award);
  const enter = async (searched: number) => {
    const command = { type: 'AwardPoints', award, climb, since: reserved?.meta.at ?? null, searched } as const;
    const { recorded, state } = await streams.execute(points, award.memberId, command, step(context, 'credit'));
    return { entry: recorded[0], count: state.entries };
  };
  return entered(enter, () => entryOf(streams, award, reserved?.position ?? START));
}

function entryOf(streams: Streams, { awardId, memberId }: Award, since: Position): Promise<Recorded | null> {
  return earlierEvent(streams, points, memberId, since, ({ data }) => (data as PointsEvent['data']).awardId === awardId);
}

async function climbOf(streams: Streams, { communityId, memberId }: Award): Promise<Climb> {
  const [where, who] = await Promise.all([streams.state(community, communityId), streams.state(member, memberId)]);
  if (where.status === 'unknown' || who.status === 'unknown') throw Rejection.notFound();
  return { ladder: where.ladder, floor: who.floor };
}
