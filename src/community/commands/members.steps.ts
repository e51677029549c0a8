import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../engine/streams/command-execution.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Founder, Transfer } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { type MemberCommand, memberDecider } from '../domain/member.js';
import type { NewMember } from '../domain/member-events.js';
import type { Member } from '../domain/member-state.js';
import { membershipDecider, membershipIdOf } from '../domain/membership.js';

/** Adds and changes members. A repeated call has no effect. */
@Injectable()
export class Members {
  constructor(private readonly streams: Streams) {}

  /** Adds the owner, for CreateCommunity and for `enrol-founders`. */
  async joinFounder(communityId: string, founder: Founder, context: Context): Promise<void> {
    await this.join({ ...founder, communityId, role: 'owner', minimumLevel: LOWEST_LEVEL }, context);
  }

  /** Claims the memberships of the address and of the user, then adds the member. */
  async join(newMember: NewMember, context: Context): Promise<Outcome<Member>> {
    await this.claim(newMember, context);
    const command = { type: 'JoinCommunity', member: newMember } as const;
    return this.streams.execute(memberDecider, newMember.memberId, command, createChildContext(context, 'join'));
  }

  /** Claims the memberships of the address and of the user. @throws Rejection already_member */
  async claim(newMember: NewMember, context: Context): Promise<void> {
    const { userId, email } = newMember;
    if (email !== null) await this.claimFor(newMember, email.hash, createChildContext(context, 'claim-address'));
    await this.claimFor(newMember, userId, createChildContext(context, 'claim-user'));
  }

  /** Gives the parties of a transfer their new roles, for TransferCommunity and for `exchange-roles`. */
  async exchangeRoles({ from, to, transfer }: Transfer, context: Context): Promise<void> {
    const change = (memberId: string, role: 'owner' | 'moderator') =>
      this.change(memberId, { type: 'ChangeOwnership', role, transfer }, createChildContext(context, role));
    await change(to.memberId, 'owner');
    await change(from.memberId, 'moderator');
  }

  /**
   * Activates a pending member for the user who has signed in with the address. A user who has joined with another
   * member already keeps that one, and the pending member is removed.
   */
  async activate(communityId: string, memberId: string, userId: string, context: Context): Promise<void> {
    const claimContext = createChildContext(context, 'claim-user', memberId);
    const isClaimed = await this.claimFor({ communityId, memberId }, userId, claimContext).then(
      () => true,
      treatOtherMemberAsUnclaimed,
    );
    const command = { type: isClaimed ? 'ActivateMember' : 'RemoveMember', userId } as const;
    await this.change(memberId, command, createChildContext(context, 'activate', memberId));
  }

  change(memberId: string, command: MemberCommand, context: Context): Promise<Outcome<Member>> {
    return this.streams.execute(memberDecider, memberId, command, context);
  }

  /** @param holder a user's id, or the keyed hash of an address */
  private async claimFor(
    { communityId, memberId }: Pick<NewMember, 'communityId' | 'memberId'>,
    holder: string,
    context: Context,
  ): Promise<void> {
    const command = { type: 'ClaimMembership', communityId, memberId } as const;
    await this.streams.execute(membershipDecider, membershipIdOf(communityId, holder), command, context);
  }
}

function treatOtherMemberAsUnclaimed(error: unknown): false {
  if (error instanceof Rejection && error.code === 'already_member') return false;
  throw error;
}
