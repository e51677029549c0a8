import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';

/**
 * Claims a user id or an e-mail address for one member. Each has its own stream, so that neither can join twice and a
 * member can be found by both. An address passes to another member when it is no longer the first one's.
 */
export type MembershipEvent = Fact<'MembershipClaimed', { readonly communityId: string; readonly memberId: string }>;

export type Membership = { readonly status: 'free' } | { readonly status: 'claimed'; readonly memberId: string };

/** @param holder a user's id, or the keyed hash of an address */
export function membershipIdOf(communityId: string, holder: string): string {
  return `${communityId}.${holder}`;
}

function evolve(_: Membership, { data: { memberId } }: MembershipEvent): Membership {
  return { status: 'claimed', memberId };
}

export interface MembershipCommand {
  readonly type: 'ClaimMembership';
  readonly communityId: string;
  readonly memberId: string;
  /** The member that no longer needs the address. */
  readonly replaces?: string;
}

function decide({ communityId, memberId, replaces }: MembershipCommand, state: Membership): readonly MembershipEvent[] {
  if (state.status === 'free' || (replaces !== undefined && state.memberId === replaces))
    return [{ type: 'MembershipClaimed', data: { communityId, memberId } }];
  if (state.memberId !== memberId)
    throw new Rejection('already_member', 'The user or the address is already a member.');
  return [];
}

export const membershipDecider: Decider<Membership, MembershipCommand, MembershipEvent> = {
  category: 'membership',
  versions: { MembershipClaimed: 1 },
  initial: { status: 'free' },
  evolve,
  decide,
};
