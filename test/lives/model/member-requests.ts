import type { Caller, Right } from './access.js';
import type { Member } from './members.js';
import { type Model, OK, type Outcome, refuse } from './model.js';

/** The requests of owners and moderators about a member. */
export class MemberRequests {
  constructor(private readonly model: Model) {}

  /** Moderators remove plain members. */
  remove(member: Member, caller: Caller): Outcome {
    const { access, members } = this.model;
    const refused = this.findRefusal(member, caller, 'remove members');
    if (refused !== null) return refused;
    const isOwner = access.roleOf(member.community, caller) === 'owner';
    return isOwner || member.role === 'member' ? members.end(member, 'removed') : refuse(403, 'permission_denied');
  }

  ban(member: Member, caller: Caller): Outcome {
    return this.findRefusal(member, caller, 'manage') ?? this.model.members.end(member, 'banned');
  }

  unban(member: Member, caller: Caller): Outcome {
    return this.findRefusal(member, caller, 'manage') ?? this.model.members.unban(member);
  }

  promote(member: Member, caller: Caller, level: number): Outcome {
    const refused = this.findRefusal(member, caller, 'manage');
    if (refused !== null) return refused;
    this.model.members.change(member, { role: 'moderator', floor: level });
    return OK;
  }

  /** Moderators give themselves no badge. */
  assignBadge(member: Member, caller: Caller): Outcome {
    const { access, members } = this.model;
    const { community, user } = member;
    const refused = access.findRefusal(community, caller, 'moderate');
    if (refused !== null) return refused;
    if (user === caller.user && access.roleOf(community, caller) === 'moderator')
      return refuse(403, 'permission_denied');
    members.change(member, { hasBadge: true });
    return OK;
  }

  private findRefusal(member: Member, caller: Caller, right: Right): Outcome | null {
    const refused = this.model.access.findRefusal(member.community, caller, right);
    if (refused !== null) return refused;
    const isOwner = member.user === member.community.owner;
    return isOwner ? refuse(422, 'owner_protected') : null;
  }
}
