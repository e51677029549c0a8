import { Rejection } from '../../kernel/rejection.js';
import { createArchivedRejection, type KnownCommunity } from './community.js';
import { type Role, ROLES } from './member-events.js';
import { isPresent, type KnownMember, type Member } from './member-state.js';

export type CommunityRole = Role | 'outsider';

/** A user, or a caller who acts for a business. */
export interface Viewer {
  readonly userId: string | null;
  readonly business: string | null;
}

/**
 * A caller who acts for the community's business is an owner; any other caller has the user's own role. An earlier
 * owner is a moderator, also while the member's stream does not know it yet.
 */
export function determineRole(community: KnownCommunity, member: Member, { userId, business }: Viewer): CommunityRole {
  const isOwner = userId === community.ownerId || (business !== null && business === community.business);
  if (isOwner) return 'owner';
  // A pending member whose user sends requests has signed in.
  if (member.status === 'unknown' || !isPresent(member)) return 'outsider';
  return member.role === 'owner' ? 'moderator' : member.role;
}

interface Permission {
  readonly roles: readonly CommunityRole[];
  /** An archived community refuses writes. It can be left, cleaned up and reopened. */
  readonly writes: boolean;
}

const MODERATORS = ['owner', 'moderator'] as const;

/** The permissions in a community, with their roles. They do not cover required levels and the authorship of a post. */
const PERMISSIONS = {
  /** Read posts, channels, members, challenges, resources and onboarding tasks. */
  read: { roles: ROLES, writes: false },
  /** Read invites, imports, and the ledgers and addresses of other members. */
  inspect: { roles: MODERATORS, writes: false },
  /** Write posts, comments and messages, download, complete tasks, and join challenges. */
  participate: { roles: ROLES, writes: true },
  /** Leave, and delete posts, comments and messages. */
  retract: { roles: ROLES, writes: false },
  /** Change channels, challenges, resources, tasks and invites; award points and badges. */
  moderate: { roles: MODERATORS, writes: true },
  /** Remove members, and delete channels, challenges, resources and tasks. */
  remove: { roles: MODERATORS, writes: false },
  /** Change and transfer the community, import members and change their roles. */
  manage: { roles: ['owner'], writes: true },
  /** Archive the community, also when it is archived already, and reopen it. */
  archive: { roles: ['owner'], writes: false },
} as const satisfies Readonly<Record<string, Permission>>;

export type CommunityAction = keyof typeof PERMISSIONS;

/** @throws Rejection not_a_member, permission_denied or community_archived */
export function assertPermitted(action: CommunityAction, role: CommunityRole, { status }: KnownCommunity): void {
  const { roles, writes }: Permission = PERMISSIONS[action];
  if (role === 'outsider') throw createNotAMemberRejection();
  if (!roles.includes(role)) throw createPermissionRejection(describeRoles(roles));
  if (writes) assertNotArchived({ status });
}

/** @throws Rejection community_archived */
export function assertNotArchived({ status }: Pick<KnownCommunity, 'status'>): void {
  if (status === 'archived') throw createArchivedRejection();
}

export function canModerate(role: CommunityRole): boolean {
  return role === 'owner' || role === 'moderator';
}

/**
 * The owner deletes every post, comment and message, moderators all but the owner's, and members their own.
 * @throws Rejection permission_denied
 */
export function assertCanDelete(role: CommunityRole, { ownerId }: KnownCommunity, authorId: string, userId: string) {
  const isAllowed = authorId === userId || role === 'owner' || (role === 'moderator' && authorId !== ownerId);
  if (!isAllowed)
    throw new Rejection(
      'permission_denied',
      'Members can delete only what they wrote, and moderators all but what the owner wrote.',
    );
}

/** Moderators invite and remove plain members; the owner also moderators. @throws Rejection permission_denied */
export function assertCanManage(role: CommunityRole, member: Pick<KnownMember, 'role'>): void {
  if (role !== 'owner' && member.role !== 'member') throw createPermissionRejection('the owner');
}

export function createNotAMemberRejection(): Rejection {
  return new Rejection('not_a_member', 'Only members of the community can do this.');
}

function createPermissionRejection(roles: string): Rejection {
  return new Rejection('permission_denied', `Only ${roles} of the community can do this.`);
}

function describeRoles(roles: readonly CommunityRole[]): string {
  return roles.includes('moderator') ? 'the owner and moderators' : 'the owner';
}
