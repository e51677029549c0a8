import { Rejection } from '../../kernel/rejection.js';
import type { KnownCommunity } from './community.js';
import type { Member } from './member-state.js';

/** Applies to invitees too. @throws Rejection banned or community_archived */
export function assertAdmissible({ status }: KnownCommunity, member: Member): void {
  if (member.status === 'banned') throw new Rejection('banned', 'The user is banned from the community.');
  if (status === 'archived') throw new Rejection('community_archived', 'An archived community has no new members.');
}

/** @throws Rejection banned, community_archived, purchase_required or invite_required */
export function assertJoinable(community: KnownCommunity, member: Member, isEntitled: boolean): void {
  assertAdmissible(community, member);
  const { settings } = community;
  const isUnlinked = settings.tier === 'paid' && settings.productId === null;
  if (settings.tier === 'paid' && !isUnlinked && !isEntitled)
    throw new Rejection('purchase_required', 'The community requires a purchase of its product.');
  if (isUnlinked || settings.joinPolicy === 'invite')
    throw new Rejection('invite_required', 'The community requires an invite.');
}
