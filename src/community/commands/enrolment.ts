import type { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import type { Founder } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { member, type MemberCommand } from '../domain/member.js';
import { membership, membershipId } from '../domain/membership.js';

/** Makes somebody a member: first the places of the address and of the user, then the member. Done twice, it is done once. */
export async function enrol(streams: Streams, joining: Omit<MemberCommand, 'type'>, context: Context): Promise<void> {
  const { communityId, memberId, userId, email } = joining;
  const claim = { type: 'ClaimMembership', communityId, memberId } as const;
  if (email !== null) await streams.execute(membership, membershipId(communityId, email.hash), claim, step(context, 'claim-address'));
  await streams.execute(membership, membershipId(communityId, userId), claim, step(context, 'claim-user'));
  await streams.execute(member, memberId, { type: 'JoinCommunity', ...joining }, step(context, 'join'));
}

/** What becomes of a new community's founder, in the command that makes it and in the process that finishes what a crash left. */
export function founderJoins(communityId: string, { userId, memberId, email }: Founder): Omit<MemberCommand, 'type'> {
  return { memberId, communityId, userId, email, role: 'owner', floor: LOWEST_LEVEL };
}
