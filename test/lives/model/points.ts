import type { Caller } from './access.js';
import type { Community } from './communities.js';
import type { Member } from './members.js';
import { CREATED, type Model, OK, type Outcome, refuse } from './model.js';
import { type Fields, nameOf, refer, type Template } from './template.js';

/** An entry of a ledger: an award, or the reversal of one. */
export interface Entry {
  readonly key: string;
  readonly createdAt: string;
  readonly member: Member;
  /** The source of an award; null for a reversal. */
  readonly source: string | null;
  /** The award that the entry reverses. */
  readonly reverses: Entry | null;
  readonly points: number;
  readonly balance: number;
  readonly level: number;
  readonly leveledUp: boolean;
  /** Whether the member had not joined: the event follows when the member joins, unless the entry is reversed before. */
  readonly isKept: boolean;
}

export interface EntryResult {
  readonly outcome: Outcome;
  readonly data: Fields | null;
}

/** Points of members. A source pays a member once, also after its award was reversed. */
export class Points {
  private readonly entries: Entry[] = [];

  constructor(private readonly model: Model) {}

  listOf(community: Community): readonly Entry[] {
    return this.entries.filter(({ member }) => member.community === community);
  }

  /** Returns the entries that the caller sees: a plain member sees the own ones. */
  listFor(community: Community, caller: Caller): readonly Entry[] {
    const seesAll = this.model.access.canModerate(community, caller);
    return this.listOf(community).filter(({ member }) => seesAll || member.user === caller.user);
  }

  award(community: Community, caller: Caller, email: string, source: string, points: number): EntryResult {
    const user = this.model.people.findCurrent(email);
    const member = user && this.model.members.find(community, user);
    const refused = this.model.access.findRefusal(community, caller, 'moderate');
    if (refused !== null) return { outcome: refused, data: null };
    if (member?.status !== 'active' && member?.status !== 'pending')
      return { outcome: refuse(422, 'member_not_found'), data: null };
    if (this.isOwn(member, caller)) return { outcome: refuse(422, 'self_award'), data: null };
    const known = this.entries.find((one) => one.member === member && one.source === source);
    if (known === undefined) return { outcome: CREATED, data: this.render(this.enter({ member, source, points })) };
    if (known.points !== points) return { outcome: refuse(409, 'points_already_awarded'), data: null };
    return { outcome: OK, data: this.render(known, true) };
  }

  /** Takes the points of an award back, once. */
  reverse(award: Entry, caller: Caller): EntryResult {
    const { member } = award;
    const refused = this.model.access.findRefusal(member.community, caller, 'moderate');
    if (refused !== null) return { outcome: refused, data: null };
    if (award.reverses !== null) return { outcome: refuse(404, 'not_found'), data: null };
    if (this.isOwn(member, caller)) return { outcome: refuse(422, 'self_award'), data: null };
    const known = this.entries.find(({ reverses }) => reverses === award);
    if (known !== undefined) return { outcome: OK, data: this.render(known, true) };
    const points = -Math.min(award.points, member.points);
    return { outcome: CREATED, data: this.render(this.enter({ member, source: null, points }, award)) };
  }

  /** Moderators award no points to themselves, and reverse no such award. */
  private isOwn({ community, user }: Member, caller: Caller): boolean {
    return user === caller.user && this.model.access.roleOf(community, caller) === 'moderator';
  }

  private enter(entry: Pick<Entry, 'member' | 'source' | 'points'>, reverses: Entry | null = null): Entry {
    const { members, now } = this.model;
    const { member, points } = entry;
    const before = members.levelOf(member);
    member.points += points;
    const level = members.levelOf(member);
    const result = { balance: member.points, level, leveledUp: level > before };
    const isKept = member.status === 'pending';
    const entered = { ...entry, ...result, isKept, key: this.model.newKey('pta'), createdAt: now, reverses };
    this.entries.push(entered);
    this.model.touch(entered.key, member.key);
    return entered;
  }

  render({ member, reverses, ...entry }: Entry, isDuplicate = false): Fields {
    const { user, community } = member;
    const source: readonly Template[] =
      reverses === null ? ['course', entry.source] : ['reversal', nameOf(reverses.key)];
    return {
      id: nameOf(entry.key),
      object: 'points_award',
      community: refer('community', community.key),
      user: { ...(refer('user', user!.key) as Fields), email: user!.email },
      points: entry.points,
      source_type: source[0]!,
      source_id: source[1]!,
      balance: entry.balance,
      level: entry.level,
      leveled_up: entry.leveledUp,
      duplicate: isDuplicate,
      created_at: entry.createdAt,
    };
  }
}
