import type { Community } from './communities.js';
import { type Model, type Outcome, refuse } from './model.js';
import type { User } from './people.js';

export type Role = 'owner' | 'moderator' | 'member';

/** Somebody who sends a request: a user, or the seller's key, which acts as the founder. The founder's user is null. */
export interface Caller {
  readonly user: User | null;
  readonly isKey: boolean;
}

export const KEY: Caller = { user: null, isKey: true };

interface Rule {
  readonly roles: readonly Role[];
  /** Whether an archived community refuses it. */
  readonly isWrite: boolean;
}

const MODERATORS = ['owner', 'moderator'] as const;
const MEMBERS = ['owner', 'moderator', 'member'] as const;

/** Archived communities can be left, cleaned up and reopened. */
const RULES = {
  participate: { roles: MEMBERS, isWrite: true },
  withdraw: { roles: MEMBERS, isWrite: false },
  moderate: { roles: MODERATORS, isWrite: true },
  'remove members': { roles: MODERATORS, isWrite: false },
  manage: { roles: ['owner'], isWrite: true },
  archive: { roles: ['owner'], isWrite: false },
} as const satisfies Readonly<Record<string, Rule>>;

export type Right = keyof typeof RULES;

/** Decides what a caller may do in a community. */
export class Access {
  constructor(private readonly model: Model) {}

  /** Returns null for an outsider. The key acts as the owner of the communities of its business. */
  roleOf(community: Community, { user, isKey }: Caller): Role | null {
    if (user === community.owner || (isKey && community.isOfBusiness)) return 'owner';
    const member = this.model.members.find(community, user);
    return member?.status === 'active' ? member.role : null;
  }

  canModerate(community: Community, caller: Caller): boolean {
    const role = this.roleOf(community, caller);
    return role === 'owner' || role === 'moderator';
  }

  /** Whether the caller reads what requires this level. */
  hasLevel(community: Community, caller: Caller, level: number): boolean {
    if (this.canModerate(community, caller)) return true;
    const member = this.model.members.find(community, caller.user);
    return member !== undefined && this.model.members.levelOf(member) >= level;
  }

  /** Returns the refusal of a request to the community itself; null when it is permitted. */
  findRefusal(community: Community, caller: Caller, right: Right): Outcome | null {
    const { roles, isWrite }: Rule = RULES[right];
    const role = this.roleOf(community, caller);
    if (role === null) return refuse(403, 'not_a_member');
    if (!roles.includes(role)) return refuse(403, 'permission_denied');
    return isWrite && community.status === 'archived' ? refuse(422, 'community_archived') : null;
  }

  /** Returns the refusal of a request to something in the community, which an outsider does not see. */
  findInnerRefusal(community: Community, caller: Caller, right: Right): Outcome | null {
    return this.roleOf(community, caller) === null
      ? refuse(404, 'not_found')
      : this.findRefusal(community, caller, right);
  }
}
