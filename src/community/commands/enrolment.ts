import type { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import type { Founder } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { member, type MemberCommand } from '../domain/member.js';
import { membership, membershipId } from '../domain/membership.js';

/** Claims the memberships of the address and of the user, then adds the member. A repeated call has no effect. */
export async function enrol(streams: Streams, joining: Omit<MemberCommand, 'type'>, context: Context): Promise<void> {
  const { communityId, memberId, userId, email } = joining;
  const claim = { type: 'ClaimMembership', communityId, memberId } as const;
  if (email !== null) await streams.execute(membership, membershipId(communityId, email.hash), claim, step(context, 'claim-address'));
  await streams.execute(membership, membershipId(communityId, userId), claim, step(context, 'claim-user'));
  await streams.execute(member, memberId, { type: 'JoinCommunity', ...joining }, step(context, 'join'));
}

/** Returns the owner as a new member, for CreateCommunity and for `enrol-founders`. */
export function founderJoins(communityId: string, { userId, memberId, email }: Founder): Omit<MemberCommand, 'type'> {
  return { memberId, communityId, userId, email, role: 'owner', floor: LOWEST_LEVEL };
}
