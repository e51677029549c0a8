import { Rejection } from '../../kernel/rejection.js';
import type { KnownCommunity } from './community.js';
import type { Member, Role } from './member.js';

/** The role of a caller in a community. */
export type Standing = Role | 'outsider';

/** A user, or a caller who acts for a business. */
export interface Visitor {
  readonly userId: string | null;
  readonly business: string | null;
}

/** A caller who acts for the community's business is an owner; any other caller has the user's own role. */
export function standingOf(community: KnownCommunity, member: Member, { userId, business }: Visitor): Standing {
  const isOwner = userId === community.ownerId || (business !== null && business === community.business);
  if (isOwner) return 'owner';
  return member.status === 'active' ? member.role : 'outsider';
}

export function moderates(standing: Standing): boolean {
  return standing === 'owner' || standing === 'moderator';
}

export function refuseOutsiders(standing: Standing): void {
  if (standing === 'outsider') throw new Rejection('not_a_member', 'Only members of the community can do this.');
}

export function refuseAllButModerators(standing: Standing): void {
  refuseOutsiders(standing);
  if (!moderates(standing)) throw new Rejection('permission_denied', 'Only the owner and moderators of the community can do this.');
}
