import { Rejection } from '../../kernel/rejection.js';
import type { KnownCommunity } from './community.js';
import type { Member, Role } from './member.js';

/** The role of a caller in a community. */
export type CommunityRole = Role | 'outsider';

/** A user, or a caller who acts for a business. */
export interface Viewer {
  readonly userId: string | null;
  readonly business: string | null;
}

/** A caller who acts for the community's business is an owner; any other caller has the user's own role. */
export function determineRole(community: KnownCommunity, member: Member, { userId, business }: Viewer): CommunityRole {
  const isOwner = userId === community.ownerId || (business !== null && business === community.business);
  if (isOwner) return 'owner';
  return member.status === 'active' ? member.role : 'outsider';
}

export function canModerate(role: CommunityRole): boolean {
  return role === 'owner' || role === 'moderator';
}

export function assertNotOutsider(role: CommunityRole): void {
  if (role === 'outsider') throw new Rejection('not_a_member', 'Only members of the community can do this.');
}

export function assertModerator(role: CommunityRole): void {
  assertNotOutsider(role);
  if (!canModerate(role))
    throw new Rejection('permission_denied', 'Only the owner and moderators of the community can do this.');
}
