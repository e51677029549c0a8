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
    email: string,
    terms: Terms,
  ): { readonly outcome: Outcome; readonly invite: Invite | null } {
    const user = this.model.people.findCurrent(email);
    const member = user && this.model.members.find(community, user);
    if (member?.status === 'active' || member?.status === 'pending')
      return { outcome: refuse(422, 'already_member'), invite: null };
    if (member?.status === 'banned') return { outcome: refuse(422, 'banned'), invite: null };
    const expiresAt = addDays(this.model.now, VALID_DAYS);
    const pending = this.findPending(community, email);
    const invite = pending ?? this.add(community, email);
    Object.assign(invite, terms, { expiresAt });
    this.model.schedule(expiresAt, () => {
      if (invite.status === 'pending' && invite.expiresAt === expiresAt) this.close(invite, 'expired');
    });
    this.model.touch(invite.key);
    return { outcome: pending === undefined ? CREATED : OK, invite };
  }

  accept(invite: Invite, user: User): Outcome {
    const { community, role, level } = invite;
    if (this.model.members.find(community, user)?.status === 'banned') return refuse(403, 'banned');
    const refused = this.findRefusal(invite, 'accepted');
    if (refused !== null) return refused;
    if (invite.status === 'accepted') return OK;
    this.close(invite, 'accepted');
    this.model.members.enter(community, user, { role, floor: level, via: 'invite' });
    return OK;
  }

  decline(invite: Invite): Outcome {
    const refused = this.findRefusal(invite, 'declined');
    if (refused !== null) return refused;
    if (invite.status === 'pending') this.close(invite, 'declined');
    return OK;
  }

  revoke(invite: Invite): Outcome {
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

  private findRefusal({ status }: Invite, wanted: 'accepted' | 'declined'): Outcome | null {
    if (status === 'pending' || status === wanted) return null;
    return refuse(422, status === 'accepted' ? 'invite_already_accepted' : `invite_${status}`);
  }

  private findPending(community: Community, email: string): Invite | undefined {
    return this.all.find((one) => one.community === community && one.email === email && one.status === 'pending');
  }

  private add(community: Community, email: string): Invite {
    const { now } = this.model;
    const terms = { role: 'member', level: 1, status: 'pending', expiresAt: now, respondedAt: null } as const;
    const invite: Invite = { key: this.model.newKey('invt'), community, email, createdAt: now, ...terms };
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
      invited_by: refer('user', 'usr owner'),
      expires_at: invite.expiresAt,
      created_at: invite.createdAt,
      responded_at: invite.respondedAt,
    };
  }
}
