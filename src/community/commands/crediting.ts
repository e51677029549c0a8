import type { Outcome, Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { community } from '../domain/community.js';
import type { Climb } from '../domain/levels.js';
import { member } from '../domain/member.js';
import { points, type Award, type Ledger } from '../domain/points.js';

/** Enters an award into the member's ledger, once: its id tells. */
export async function credit(streams: Streams, award: Award, context: Context): Promise<Outcome<Ledger>> {
  const climb = await climbOf(streams, award);
  return streams.execute(points, award.memberId, { type: 'AwardPoints', award, climb }, step(context, 'credit'));
}

async function climbOf(streams: Streams, { communityId, memberId }: Award): Promise<Climb> {
  const [where, who] = await Promise.all([streams.state(community, communityId), streams.state(member, memberId)]);
  if (where.status === 'unknown' || who.status === 'unknown') throw Rejection.notFound();
  return { ladder: where.ladder, floor: who.floor };
}
