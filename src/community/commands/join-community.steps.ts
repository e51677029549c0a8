import type { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Founder } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { type MemberCommand, memberDecider } from '../domain/member.js';
import { membershipDecider, membershipIdOf } from '../domain/membership.js';

/** Claims the memberships of the address and of the user, then adds the member. A repeated call has no effect. */
export async function joinCommunity(
  streams: Streams,
  newMember: Omit<MemberCommand, 'type'>,
  context: Context,
): Promise<void> {
  const { communityId, memberId, userId, email } = newMember;
  const claim = { type: 'ClaimMembership', communityId, memberId } as const;
  if (email !== null)
    await streams.execute(
      membershipDecider,
      membershipIdOf(communityId, email.hash),
      claim,
      createChildContext(context, 'claim-address'),
    );
  await streams.execute(
    membershipDecider,
    membershipIdOf(communityId, userId),
    claim,
    createChildContext(context, 'claim-user'),
  );
  await streams.execute(
    memberDecider,
    memberId,
    { type: 'JoinCommunity', ...newMember },
    createChildContext(context, 'join'),
  );
}

/** Returns the owner as a new member, for CreateCommunity and for `enrol-founders`. */
export function toFounderMember(
  communityId: string,
  { userId, memberId, email }: Founder,
): Omit<MemberCommand, 'type'> {
  return { memberId, communityId, userId, email, role: 'owner', minimumLevel: LOWEST_LEVEL };
}
