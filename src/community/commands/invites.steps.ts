import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { toIso } from '../../kernel/clock.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { type EncryptedField, isSameAddress } from '../../kernel/encrypted-field.js';
import { CommunityAccess } from '../access/community-access.js';
import {
  type Admission,
  inviteAddressClaims,
  inviteAddressIdOf,
  type InviteCommand,
  inviteDecider,
  isPending,
  type NewInvite,
} from '../domain/invite.js';
import { inviteQuotaDecider, inviteQuotaIdOf } from '../domain/invite-quota.js';
import type { KnownMember } from '../domain/member-state.js';
import { type InviteDocument, invites } from '../projections/invites.js';
import { Members } from './members.steps.js';

/** Finds the invites of addresses, and admits invitees. A repeated call has no effect. */
@Injectable()
export class Invites {
  constructor(
    private readonly streams: Streams,
    private readonly access: CommunityAccess,
    private readonly members: Members,
  ) {}

  /**
   * Returns the id of the address's pending invite, or claims the address for the new one. A claimed invite that a
   * crash left uncreated counts as pending: the next command for the address creates it. One of a person who was
   * forgotten since ends.
   * @throws Rejection rate_limited
   */
  async findOrClaim({ inviteId, communityId, email, invitedBy }: NewInvite, context: Context): Promise<string> {
    const addressId = inviteAddressIdOf(communityId, email.hash);
    const { ownerId: current } = await this.streams.loadState(inviteAddressClaims, addressId);
    if (current !== null && (await this.isUsable(current, email, context))) return current;
    if (current !== null) await this.end(current, createChildContext(context, 'end-invite'));

    const day = toIso(context.at).slice(0, 10);
    const counted = { type: 'CountInvite', inviterId: invitedBy, day, inviteId } as const;
    await this.streams.execute(
      inviteQuotaDecider,
      inviteQuotaIdOf(invitedBy, day),
      counted,
      createChildContext(context, 'count'),
    );
    const claim = { type: 'Claim', ownerId: inviteId, replaces: current ?? undefined } as const;
    const claimContext = createChildContext(context, 'claim-address');
    const { state } = await this.streams.execute(inviteAddressClaims, addressId, claim, claimContext);
    return state.ownerId!;
  }

  async change(inviteId: string, command: InviteCommand, context: Context): Promise<InviteDocument> {
    const outcome = await this.streams.execute(inviteDecider, inviteId, command, context);
    return outcome.render(invites, inviteId);
  }

  /** Whether the address, if any, has a pending invite. */
  async hasPending(communityId: string, email: EncryptedField | null, { at }: Context): Promise<boolean> {
    if (email === null) return false;
    const addressId = inviteAddressIdOf(communityId, email.hash);
    const { ownerId: inviteId } = await this.streams.loadState(inviteAddressClaims, addressId);
    const invite = inviteId === null ? inviteDecider.initial : await this.streams.loadState(inviteDecider, inviteId);
    return invite.status !== 'unknown' && isPending(invite, toIso(at));
  }

  /** Ends the pending invite of a member's address, if any: nobody needs it, or may use it, any more. */
  async endFor({ communityId, email }: Pick<KnownMember, 'communityId' | 'email'>, context: Context): Promise<void> {
    if (email === null) return;
    const addressId = inviteAddressIdOf(communityId, email.hash);
    const { ownerId: inviteId } = await this.streams.loadState(inviteAddressClaims, addressId);
    if (inviteId !== null) await this.end(inviteId, createChildContext(context, 'end-invite'));
  }

  async end(inviteId: string, context: Context): Promise<void> {
    const { status } = await this.streams.loadState(inviteDecider, inviteId);
    if (status === 'pending') await this.streams.execute(inviteDecider, inviteId, { type: 'EndInvite' }, context);
  }

  private async isUsable(inviteId: string, email: EncryptedField, context: Context): Promise<boolean> {
    const invite = await this.streams.loadState(inviteDecider, inviteId);
    if (invite.status === 'unknown') return true;
    return isPending(invite, toIso(context.at)) && isSameAddress(invite.email, email);
  }

  /** Makes the invitee a member with the role and level of the invite, for AcceptInvite and for `admit-invitees`. */
  async admit({ member, wasMember }: Admission, context: Context): Promise<void> {
    const { memberId, communityId, userId, role, minimumLevel } = member;
    // The label of JoinCommunity: an invitee who joined and left again does not return when the steps are repeated.
    const child = createChildContext(context, 'join');
    if (wasMember) {
      await this.members.change(memberId, { type: 'ActivateMember', userId }, child);
      return;
    }
    const known = await this.access.findMember(communityId, userId);
    const changes = { role, minimumLevel };
    if (known.status === 'unknown') await this.members.join(member, context);
    else await this.members.change(known.id, { type: 'RejoinCommunity', purchased: false, changes }, child);
  }
}
