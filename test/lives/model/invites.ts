import type { Caller } from './access.js';
import type { Community } from './communities.js';
import { CREATED, type Model, OK, type Outcome, refuse } from './model.js';
import type { User } from './people.js';
import { type Fields, nameOf, refer } from './template.js';
import { addDays } from './times.js';

const VALID_DAYS = 14;

export interface Invite {
  readonly key: string;
  readonly community: Community;
  readonly email: string;
  readonly createdAt: string;
  role: 'moderator' | 'member';
  level: number;
  /** Null for the founder. */
  invitedBy: User | null;
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired';
  expiresAt: string;
  respondedAt: string | null;
}

type Terms = Pick<Invite, 'role' | 'level'>;

/** Invites to communities: one is pending for each address. */
export class Invites {
  private readonly all: Invite[] = [];

  constructor(private readonly model: Model) {}

  listOf(community: Community): readonly Invite[] {
    return this.all.filter((invite) => invite.community === community);
  }

  issue(
    community: Community,
    caller: Caller,
    email: string,
    terms: Terms,
  ): { readonly outcome: Outcome; readonly invite: Invite | null } {
    const pending = this.findPending(community, email);
    const refused =
      this.model.access.findRefusal(community, caller, 'moderate') ??
      this.findRoleRefusal(community, caller, terms) ??
      this.findAddresseeRefusal(community, email) ??
      (pending && this.findRoleRefusal(community, caller, pending)) ??
      null;
    if (refused !== null) return { outcome: refused, invite: null };
    const expiresAt = addDays(this.model.now, VALID_DAYS);
    const invite = pending ?? this.add(community, email);
    Object.assign(invite, terms, { expiresAt, invitedBy: caller.user });
    this.model.schedule(expiresAt, () => {
      if (invite.status === 'pending' && invite.expiresAt === expiresAt) this.close(invite, 'expired');
    });
    this.model.touch(invite.key);
    return { outcome: pending === undefined ? CREATED : OK, invite };
  }

  /** Moderators invite plain members only. */
  private findRoleRefusal(community: Community, caller: Caller, { role }: Pick<Terms, 'role'>): Outcome | null {
    const isOwner = this.model.access.roleOf(community, caller) === 'owner';
    return isOwner || role === 'member' ? null : refuse(403, 'permission_denied');
  }

  private findAddresseeRefusal(community: Community, email: string): Outcome | null {
    const user = this.model.people.findCurrent(email);
    const status = user && this.model.members.find(community, user)?.status;
    if (status === 'banned') return refuse(422, 'banned');
    return status === 'active' || status === 'pending' ? refuse(422, 'already_member') : null;
  }

  accept(invite: Invite, user: User): Outcome {
    const { community, role, level } = invite;
    if (invite.status === 'accepted') return OK;
    if (this.model.members.find(community, user)?.status === 'banned') return refuse(403, 'banned');
    const refused = this.findRefusal(invite);
    if (refused !== null) return refused;
    this.close(invite, 'accepted');
    this.model.members.enter(community, user, { role, floor: level, via: 'invite' });
    return OK;
  }

  decline(invite: Invite): Outcome {
    if (invite.status === 'declined') return OK;
    const refused = this.findRefusal(invite);
    if (refused !== null) return refused;
    this.close(invite, 'declined');
    return OK;
  }

  revoke(invite: Invite, caller: Caller): Outcome {
    const refused =
      this.model.access.findRefusal(invite.community, caller, 'moderate') ??
      this.findRoleRefusal(invite.community, caller, invite);
    if (refused !== null) return refused;
    if (invite.status === 'accepted') return refuse(422, 'invite_already_accepted');
    if (invite.status === 'declined') return refuse(422, 'invite_declined');
    if (invite.status !== 'revoked') this.close(invite, 'revoked');
    return OK;
  }

  /** Ends the pending invite of somebody who joins, is imported, is banned or is removed. */
  end(community: Community, email: string): void {
    const pending = this.findPending(community, email);
    if (pending !== undefined) this.close(pending, 'revoked');
  }

  private findRefusal({ community, status }: Invite): Outcome | null {
    if (community.status === 'archived') return refuse(422, 'community_archived');
    if (status === 'pending') return null;
    return refuse(422, status === 'accepted' ? 'invite_already_accepted' : `invite_${status}`);
  }

  findPending(community: Community, email: string): Invite | undefined {
    return this.all.find((one) => one.community === community && one.email === email && one.status === 'pending');
  }

  private add(community: Community, email: string): Invite {
    const { now } = this.model;
    const invite: Invite = {
      ...{ key: this.model.newKey('invt'), community, email, createdAt: now, role: 'member', level: 1 },
      ...{ invitedBy: null, status: 'pending', expiresAt: now, respondedAt: null },
    };
    this.all.push(invite);
    return invite;
  }

  private close(invite: Invite, status: Invite['status']): void {
    const isResponse = status === 'accepted' || status === 'declined';
    Object.assign(invite, { status, respondedAt: isResponse ? this.model.now : null });
    this.model.touch(invite.key);
  }

  render(invite: Invite): Fields {
    return {
      id: nameOf(invite.key),
      object: 'invite',
      community: refer('community', invite.community.key),
      email: invite.email,
      role: invite.role,
      level: invite.level,
      message: null,
      status: invite.status,
      invited_by: refer('user', invite.invitedBy?.key ?? 'usr owner'),
      expires_at: invite.expiresAt,
      created_at: invite.createdAt,
      responded_at: invite.respondedAt,
    };
  }
}
