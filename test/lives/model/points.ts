import type { Community } from './communities.js';
import type { Member } from './members.js';
import { CREATED, type Model, OK, type Outcome, refuse } from './model.js';
import { type Fields, refer, SOME_TEXT } from './template.js';

interface Award {
  readonly member: Member;
  readonly source: string;
  readonly points: number;
  readonly createdAt: string;
  readonly balance: number;
  readonly level: number;
  readonly leveledUp: boolean;
}

export interface AwardResult {
  readonly outcome: Outcome;
  readonly data: Fields | null;
}

/** Points of members. A source pays a member once. */
export class Points {
  private readonly awards: Award[] = [];

  constructor(private readonly model: Model) {}

  award(community: Community, email: string, source: string, points: number): AwardResult {
    const user = this.model.people.findCurrent(email);
    const member = user && this.model.members.find(community, user);
    if (member?.status !== 'active' && member?.status !== 'pending')
      return { outcome: refuse(422, 'member_not_found'), data: null };
    const known = this.awards.find((one) => one.member === member && one.source === source);
    if (known === undefined) return { outcome: CREATED, data: this.render(this.pay(member, source, points), false) };
    if (known.points !== points) return { outcome: refuse(409, 'points_already_awarded'), data: null };
    return { outcome: OK, data: this.render(known, true) };
  }

  private pay(member: Member, source: string, points: number): Award {
    const { members, now } = this.model;
    const before = members.levelOf(member);
    member.points += points;
    const level = members.levelOf(member);
    const result = { balance: member.points, level, leveledUp: level > before };
    const award = { member, source, points, createdAt: now, ...result };
    this.awards.push(award);
    this.model.touch(member.key);
    return award;
  }

  private render({ member, ...award }: Award, isDuplicate: boolean): Fields {
    const { user, community } = member;
    return {
      id: SOME_TEXT,
      object: 'points_award',
      community: refer('community', community.key),
      user: { ...(refer('user', user!.key) as Fields), email: user!.email },
      points: award.points,
      source_type: 'course',
      source_id: award.source,
      balance: award.balance,
      level: award.level,
      leveled_up: award.leveledUp,
      duplicate: isDuplicate,
      created_at: award.createdAt,
    };
  }
}
