import { earlierEvent } from '../../engine/streams/earlier.js';
import type { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import { community } from '../domain/community.js';
import type { Climb } from '../domain/levels.js';
import { member } from '../domain/member.js';
import { mayHaveForgotten, points, type Award, type PointsEvent } from '../domain/points.js';

/**
 * Enters an award into the member's ledger, once: its id tells. Answers its entry.
 * @param reservedAt when its source was reserved, where an earlier run may have entered it since; null for an award of this very run
 */
export async function credit(streams: Streams, award: Award, context: Context, reservedAt: string | null): Promise<Recorded> {
  const { awardId, memberId } = award;
  if (reservedAt !== null && mayHaveForgotten(await streams.state(points, memberId), awardId)) {
    const earlier = await entryOf(streams, award, reservedAt);
    if (earlier !== null) return earlier;
  }
  const command = { type: 'AwardPoints', award, climb: await climbOf(streams, award) } as const;
  const { recorded } = await streams.execute(points, memberId, command, step(context, 'credit'));
  return recorded[0] ?? (await entryOf(streams, award, reservedAt))!;
}

function entryOf(streams: Streams, { awardId, memberId }: Award, since: string | null): Promise<Recorded | null> {
  return earlierEvent(streams, points, memberId, since, ({ data }) => (data as PointsEvent['data']).awardId === awardId);
}

async function climbOf(streams: Streams, { communityId, memberId }: Award): Promise<Climb> {
  const [where, who] = await Promise.all([streams.state(community, communityId), streams.state(member, memberId)]);
  if (where.status === 'unknown' || who.status === 'unknown') throw Rejection.notFound();
  return { ladder: where.ladder, floor: who.floor };
}
