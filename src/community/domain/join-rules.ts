import { Rejection } from '../../kernel/rejection.js';
import type { KnownCommunity } from './community.js';
import type { Member } from './member.js';

/** @throws Rejection banned, community_archived, purchase_required or invite_required */
export function assertJoinable({ status, settings }: KnownCommunity, member: Member, isEntitled: boolean): void {
  if (member.status === 'banned') throw new Rejection('banned', 'The user is banned from the community.');
  if (status === 'archived') throw new Rejection('community_archived', 'An archived community has no new members.');
  if (settings.tier === 'paid' && !isEntitled)
    throw new Rejection('purchase_required', 'The community requires a purchase of its product.');
  if (settings.joinPolicy === 'invite') throw new Rejection('invite_required', 'The community requires an invite.');
}
