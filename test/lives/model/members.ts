import type { Role } from './access.js';
import type { Community } from './communities.js';
import { CREATED, type Model, OK, type Outcome, refuse } from './model.js';
import type { User } from './people.js';
import { type Fields, nameOf, Open, refer } from './template.js';

export interface Member {
  readonly key: string;
  readonly community: Community;
  /** Null for the founder. */
  readonly user: User | null;
  role: Role;
  /** The level that was granted. */
  floor: number;
  points: number;
  status: 'active' | 'pending' | 'removed' | 'banned';
  hasBadge: boolean;
  joinedAt: string;
  /** The contract does not say when somebody joined whose ban was lifted. */
  wasBanned: boolean;
  via: 'purchase' | 'import' | 'invite' | 'open';
}

type Entry = Partial<Pick<Member, 'role' | 'floor'>> & Pick<Member, 'via'>;

const A_BADGE = new Open((value) => typeof value === 'object' && value !== null && 'assigned_at' in value);
/** The contract does not say which role, level and badge a member shows who is not active. */
const ANYTHING = new Open(() => true);

/** Members of communities. */
export class Members {
  private readonly all: Member[] = [];

  constructor(private readonly model: Model) {}

  listOf(community: Community): readonly Member[] {
    return this.all.filter((member) => member.community === community);
  }

  find(community: Community, user: User | null): Member | undefined {
    return this.all.find((member) => member.community === community && member.user === user);
  }

  found(community: Community): void {
    const entry = { user: null, role: 'owner', floor: 1, status: 'active', via: 'open' } as const;
    this.all.push({ ...entry, ...this.newMember(community) });
  }

  join(community: Community, user: User): Outcome {
    const member = this.find(community, user);
    if (member?.status === 'active') return OK;
    if (member?.status === 'banned') return refuse(403, 'banned');
    if (community.status === 'archived') return refuse(422, 'community_archived');
    const { product } = community;
    if (product !== null && !this.model.entitlements.has(user, product.key)) return refuse(403, 'purchase_required');
    if (community.policy === 'invite') return refuse(403, 'invite_required');
    const isInvited = this.model.invites.findPending(community, user.email) !== undefined;
    this.enter(community, user, { via: product === null ? 'open' : isInvited ? 'invite' : 'purchase' });
    return CREATED;
  }

  /** Makes the user an active member. Who comes back is a plain member, with the points earned before. */
  enter(community: Community, user: User, entry: Entry, status: 'active' | 'pending' = 'active'): Member {
    const { role = 'member', floor = 1, via } = entry;
    const member =
      this.find(community, user) ?? this.add({ ...this.newMember(community), user, role, floor, status, via });
    Object.assign(member, { role, floor, via, status, hasBadge: false, joinedAt: this.model.now });
    this.model.invites.end(community, user.email);
    this.model.touch(member.key, community.key);
    return member;
  }

  leave(community: Community, user: User): Outcome {
    const member = this.find(community, user);
    if (member?.status !== 'active') return refuse(403, 'not_a_member');
    return member.role === 'owner' ? refuse(422, 'last_owner') : this.end(member, 'removed');
  }

  end(member: Member, status: 'removed' | 'banned'): Outcome {
    member.status = status;
    this.model.invites.end(member.community, member.user!.email);
    this.model.touch(member.key, member.community.key);
    return OK;
  }

  change(member: Member, changes: Partial<Pick<Member, 'role' | 'floor' | 'hasBadge'>>): void {
    Object.assign(member, changes);
    this.model.touch(member.key);
  }

  /** An import gives a member new terms. Who was imported stays when a purchase ends. */
  keep(member: Member, terms: Pick<Member, 'role' | 'floor'>): void {
    Object.assign(member, terms, { via: 'import' });
    this.model.invites.end(member.community, member.user!.email);
    this.model.touch(member.key);
  }

  unban(member: Member): Outcome {
    this.enter(member.community, member.user!, { via: member.via });
    member.wasBanned = true;
    return OK;
  }

  /** Lets the imported members of a user in, and shows the user's new address. */
  activate(user: User): void {
    for (const member of this.all.filter((one) => one.user === user)) {
      if (member.status === 'pending') Object.assign(member, { status: 'active', joinedAt: this.model.now });
      this.model.touch(member.key, member.community.key);
    }
  }

  /** Removes those who joined by a purchase and have none left. Of all roles, only the owner stays. */
  endPurchased(): void {
    for (const member of this.all.filter(({ status, via }) => status === 'active' && via === 'purchase')) {
      const { user, community, role } = member;
      if (role === 'owner') continue;
      if (!this.model.entitlements.has(user!, community.product!.key)) this.end(member, 'removed');
    }
  }

  levelOf({ community, points, floor }: Member): number {
    return Math.max(floor, this.model.communities.levelOf(community, points));
  }

  private add(member: Member): Member {
    this.all.push(member);
    return member;
  }

  private newMember(community: Community) {
    return {
      key: this.model.newKey('mem'),
      community,
      points: 0,
      hasBadge: false,
      joinedAt: this.model.now,
      wasBanned: false,
    };
  }

  render(member: Member): Fields {
    const isActive = member.status === 'active';
    return {
      id: nameOf(member.key),
      object: 'community_member',
      community: refer('community', member.community.key),
      user: this.renderUser(member),
      role: isActive ? member.role : ANYTHING,
      level: isActive ? this.levelOf(member) : ANYTHING,
      points: isActive ? member.points : ANYTHING,
      status: member.status,
      expert_badge: isActive ? (member.hasBadge ? A_BADGE : null) : ANYTHING,
      joined_at: isActive && !member.wasBanned ? member.joinedAt : ANYTHING,
    };
  }

  renderUser({ user }: Member): Fields {
    return { object: 'user', id: nameOf(user?.key ?? 'usr owner'), email: user?.email ?? null, name: null };
  }

  /** Renders those with points, the most points first. Equal points share a rank. */
  listRanked(community: Community): readonly { readonly member: Member; readonly fields: Fields }[] {
    const ranked = this.listOf(community).filter(({ status, points }) => status === 'active' && points > 0);
    return ranked.map((member) => {
      const rank = 1 + ranked.filter(({ points }) => points > member.points).length;
      const fields = { rank, user: this.renderUser(member), points: member.points, level: this.levelOf(member) };
      return { member, fields };
    });
  }
}
