import { Injectable } from '@nestjs/common';
import type { Outcome } from '../../engine/streams/outcome.js';
import { Streams } from '../../engine/streams/streams.js';
import { userDecider } from '../../identity/domain/user.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Founder, Transfer } from '../domain/community.js';
import { LOWEST_LEVEL } from '../domain/levels.js';
import { type MemberCommand, memberDecider } from '../domain/member.js';
import type { NewMember } from '../domain/member-events.js';
import type { Member } from '../domain/member-state.js';
import { type MembershipCommand, membershipDecider, membershipIdOf } from '../domain/membership.js';

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
    if (email !== null) await this.claimAddress(newMember, email.hash, createChildContext(context, 'claim-address'));
    await this.claimFor(newMember, userId, createChildContext(context, 'claim-user'));
  }

  /** Gives the parties of a transfer their new roles, for TransferCommunity and for `exchange-roles`. */
  async exchangeRoles({ from, to, transfer }: Transfer, context: Context): Promise<void> {
    const change = (memberId: string, role: 'owner' | 'moderator') =>
      this.change(memberId, { type: 'ChangeOwnership', role, transfer }, createChildContext(context, role));
    await change(to.memberId, 'owner');
    await change(from.memberId, 'moderator');
  }

  /** Claims the user for the member, unless another member has claimed the user. Returns the member that has. */
  async claimUser(member: Omit<MembershipCommand, 'type'>, userId: string, context: Context): Promise<string> {
    await this.claimFor(member, userId, context).catch(ignoreOtherMember);
    const claim = await this.streams.loadState(membershipDecider, membershipIdOf(member.communityId, userId));
    return claim.status === 'free' ? member.memberId : claim.memberId;
  }

  change(memberId: string, command: MemberCommand, context: Context): Promise<Outcome<Member>> {
    return this.streams.execute(memberDecider, memberId, command, context);
  }

  private async claimAddress({ communityId, memberId }: NewMember, emailHash: string, context: Context): Promise<void> {
    const id = membershipIdOf(communityId, emailHash);
    const claim = await this.streams.loadState(membershipDecider, id);
    const other = claim.status === 'claimed' && claim.memberId !== memberId ? claim.memberId : null;
    const replaces = other !== null && (await this.isReplaceable(other, emailHash)) ? other : undefined;
    await this.claimFor({ communityId, memberId, replaces }, emailHash, context);
  }

  /** Whether the member, who has claimed the address, is gone or has another address now. */
  private async isReplaceable(memberId: string, emailHash: string): Promise<boolean> {
    const member = await this.streams.loadState(memberDecider, memberId);
    if (member.status === 'unknown' || member.status === 'removed') return member.status === 'removed';
    const user = await this.streams.loadState(userDecider, member.userId);
    return !member.isPending && user.status === 'registered' && user.email?.hash !== emailHash;
  }

  /** @param holder a user's id, or the keyed hash of an address */
  private async claimFor(
    { communityId, memberId, replaces }: Omit<MembershipCommand, 'type'>,
    holder: string,
    context: Context,
  ): Promise<void> {
    const command = { type: 'ClaimMembership', communityId, memberId, replaces } as const;
    await this.streams.execute(membershipDecider, membershipIdOf(communityId, holder), command, context);
  }
}

function ignoreOtherMember(error: unknown): void {
  if (!(error instanceof Rejection) || error.code !== 'already_member') throw error;
}
