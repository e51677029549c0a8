import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Founder } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { memberDecider, type NewMember } from '../domain/member.js';
import { membershipDecider, membershipIdOf } from '../domain/membership.js';

/** Adds members. A repeated call has no effect. */
@Injectable()
export class Members {
  constructor(private readonly streams: Streams) {}

  /** Adds the owner, for CreateCommunity and for `enrol-founders`. */
  joinFounder(communityId: string, founder: Founder, context: Context): Promise<void> {
    return this.join({ ...founder, communityId, role: 'owner', minimumLevel: LOWEST_LEVEL }, context);
  }

  /** Claims the memberships of the address and of the user, then adds the member. */
  async join(newMember: NewMember, context: Context): Promise<void> {
    const { memberId, userId, email } = newMember;
    if (email !== null) await this.claim(newMember, email.hash, createChildContext(context, 'claim-address'));
    await this.claim(newMember, userId, createChildContext(context, 'claim-user'));
    const command = { type: 'JoinCommunity', ...newMember } as const;
    await this.streams.execute(memberDecider, memberId, command, createChildContext(context, 'join'));
  }

  /** @param holder a user's id, or the keyed hash of an address */
  private async claim({ communityId, memberId }: NewMember, holder: string, context: Context): Promise<void> {
    const command = { type: 'ClaimMembership', communityId, memberId } as const;
    await this.streams.execute(membershipDecider, membershipIdOf(communityId, holder), command, context);
  }
}
