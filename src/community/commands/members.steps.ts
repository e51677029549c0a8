import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../engine/streams/command-execution.js';
import { Streams } from '../../engine/streams/streams.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import type { Founder, TransferParty } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { type Member, type MemberCommand, memberDecider, type NewMember } from '../domain/member.js';
import { membershipDecider, membershipIdOf } from '../domain/membership.js';

/** Adds and changes members. A repeated call has no effect. */
@Injectable()
export class Members {
  constructor(private readonly streams: Streams) {}

  /** Adds the owner, for CreateCommunity and for `enrol-founders`. */
  joinFounder(communityId: string, founder: Founder, context: Context): Promise<void> {
    return this.join({ ...founder, communityId, role: 'owner', minimumLevel: LOWEST_LEVEL }, context);
  }

  /** Claims the memberships of the address and of the user, then adds the member. */
  async join(newMember: NewMember, context: Context): Promise<void> {
    await this.claim(newMember, context);
    const command = { type: 'JoinCommunity', member: newMember } as const;
    await this.streams.execute(memberDecider, newMember.memberId, command, createChildContext(context, 'join'));
  }

  /** Claims the memberships of the address and of the user. @throws Rejection already_member */
  async claim(newMember: NewMember, context: Context): Promise<void> {
    const { userId, email } = newMember;
    if (email !== null) await this.claimFor(newMember, email.hash, createChildContext(context, 'claim-address'));
    await this.claimFor(newMember, userId, createChildContext(context, 'claim-user'));
  }

  /** Gives the parties of a transfer their new roles, for TransferCommunity and for `exchange-roles`. */
  async exchangeRoles(from: TransferParty, to: TransferParty, context: Context): Promise<void> {
    const child = (label: string) => createChildContext(context, label);
    await this.change(to.memberId, { type: 'ChangeMember', changes: { role: 'owner' } }, child('new-owner'));
    await this.change(from.memberId, { type: 'ChangeMember', changes: { role: 'moderator' } }, child('former-owner'));
  }

  change(memberId: string, command: MemberCommand, context: Context): Promise<Outcome<Member>> {
    return this.streams.execute(memberDecider, memberId, command, context);
  }

  /** @param holder a user's id, or the keyed hash of an address */
  private async claimFor({ communityId, memberId }: NewMember, holder: string, context: Context): Promise<void> {
    const command = { type: 'ClaimMembership', communityId, memberId } as const;
    await this.streams.execute(membershipDecider, membershipIdOf(communityId, holder), command, context);
  }
}
