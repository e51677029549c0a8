import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';
import { idOf } from '../../kernel/ids.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { Rejection } from '../../kernel/rejection.js';

export type Role = 'owner' | 'moderator' | 'member';
/** A pending member has not signed in yet with the address that an import gave. */
export const MEMBER_STATUSES = ['active', 'pending', 'removed', 'banned'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

export interface NewMember {
  readonly memberId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly role: Role;
  /** The member never has a lower level, regardless of the points. */
  readonly minimumLevel: number;
  /** The member joined by a purchase, and loses the membership when it ends. Older events do not have the field. */
  readonly purchased?: boolean;
}

interface ImportedMember extends NewMember {
  readonly importId: string;
  readonly status: 'active' | 'pending';
}

/** What a change of a member's role or level contains. */
export interface MemberChanges {
  readonly role?: Role;
  readonly minimumLevel?: number;
}

/** What every later event of a member contains. */
interface MemberReference {
  readonly memberId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly at: string;
}

/** `by` is null for the end of a purchase. `wasActive`: the event ends an active membership. */
type Departure = MemberReference & { readonly by: string | null; readonly wasActive: boolean };

export type MemberEvent =
  | Fact<'MemberJoined', NewMember>
  | Fact<'MemberImported', ImportedMember & { at: string }>
  | Fact<'MemberActivated', MemberReference>
  | Fact<'MemberRejoined', MemberReference & { purchased: boolean }>
  | Fact<'MemberChanged', MemberReference & { changes: MemberChanges }>
  | Fact<'MemberLeft', MemberReference>
  | Fact<'MemberRemoved', Departure>
  | Fact<'MemberBanned', Departure>
  | Fact<'MemberUnbanned', MemberReference & { by: string }>
  | Fact<'ExpertBadgeAssigned', MemberReference & { by: string }>
  | Fact<'ExpertBadgeRemoved', MemberReference>;

export interface KnownMember {
  readonly status: MemberStatus;
  readonly id: string;
  readonly communityId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly role: Role;
  readonly minimumLevel: number;
  readonly isExpert: boolean;
  readonly purchased: boolean;
}

export type Member = { readonly status: 'unknown' } | KnownMember;

function evolve(member: Member, event: MemberEvent): Member {
  if (event.type === 'MemberJoined') return toMember(event.data, 'active');
  if (event.type === 'MemberImported') return toMember(event.data, event.data.status);
  if (member.status === 'unknown') return member;

  switch (event.type) {
    case 'MemberActivated':
    case 'MemberUnbanned':
      return { ...member, status: 'active' };
    case 'MemberRejoined':
      return { ...member, status: 'active', role: 'member', purchased: event.data.purchased };
    case 'MemberChanged':
      return { ...member, ...event.data.changes };
    case 'MemberLeft':
    case 'MemberRemoved':
      return { ...member, status: 'removed', isExpert: false };
    case 'MemberBanned':
      return { ...member, status: 'banned', isExpert: false };
    case 'ExpertBadgeAssigned':
      return { ...member, isExpert: true };
    case 'ExpertBadgeRemoved':
      return { ...member, isExpert: false };
  }
}

function toMember(
  { memberId: id, communityId, userId, email, role, minimumLevel, purchased = false }: NewMember,
  status: 'active' | 'pending',
): KnownMember {
  return { status, id, communityId, userId, email, role, minimumLevel, purchased, isExpert: false };
}

/** The caller's permission is checked before; `userId` is the user who acts. An import has no `member` to add when it is known. */
export type MemberCommand =
  | { readonly type: 'JoinCommunity'; readonly member: NewMember }
  | { readonly type: 'ImportMember'; readonly member: ImportedMember | null; readonly changes: MemberChanges }
  | { readonly type: 'ActivateMember' | 'LeaveCommunity' | 'RemoveExpertBadge' | 'EndPurchase' }
  | { readonly type: 'RejoinCommunity'; readonly purchased: boolean; readonly changes?: MemberChanges }
  | { readonly type: 'ChangeMember'; readonly changes: MemberChanges }
  | { readonly type: 'RemoveMember' | 'BanMember' | 'UnbanMember' | 'AssignExpertBadge'; readonly userId: string };

function decide(command: MemberCommand, member: Member, { now: at }: DecisionContext): readonly MemberEvent[] {
  if (command.type === 'JoinCommunity') {
    return member.status === 'unknown' ? [{ type: 'MemberJoined', data: command.member }] : [];
  }
  if (command.type === 'ImportMember' && command.member !== null && member.status === 'unknown')
    return [{ type: 'MemberImported', data: { ...command.member, at } }];
  if (member.status === 'unknown') throw Rejection.notFound();

  const reference = { memberId: member.id, communityId: member.communityId, userId: member.userId, at };
  switch (command.type) {
    case 'ImportMember':
      return reimport(command, member, reference);
    case 'ActivateMember':
      return member.status === 'pending' ? [{ type: 'MemberActivated', data: reference }] : [];
    case 'RejoinCommunity':
      return member.status === 'removed' ? rejoin(command, member, reference) : [];
    case 'ChangeMember':
      return change(command.changes, member, reference);
    case 'LeaveCommunity':
      return leave(member, reference);
    case 'RemoveMember':
      assertNotOwner(member);
      return isPresent(member) ? [{ type: 'MemberRemoved', data: toDeparture(command.userId, member, reference) }] : [];
    case 'EndPurchase':
      return member.purchased && member.role === 'member' && isPresent(member)
        ? [{ type: 'MemberRemoved', data: toDeparture(null, member, reference) }]
        : [];
    case 'BanMember':
      assertNotOwner(member);
      return member.status === 'banned'
        ? []
        : [{ type: 'MemberBanned', data: toDeparture(command.userId, member, reference) }];
    case 'UnbanMember':
      return member.status === 'banned' ? [{ type: 'MemberUnbanned', data: { ...reference, by: command.userId } }] : [];
    case 'AssignExpertBadge':
      assertActive(member);
      return member.isExpert ? [] : [{ type: 'ExpertBadgeAssigned', data: { ...reference, by: command.userId } }];
    case 'RemoveExpertBadge':
      return member.isExpert ? [{ type: 'ExpertBadgeRemoved', data: reference }] : [];
  }
}

/** Gives an existing member the role and the level that the row of an import names. */
function reimport(
  { changes }: Extract<MemberCommand, { type: 'ImportMember' }>,
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  assertNotOwner(member);
  if (member.status === 'banned') throw Rejection.ofField('email', 'banned_member', 'The member is banned.');
  return member.status === 'removed'
    ? rejoin({ purchased: false, changes }, member, reference)
    : change(changes, member, reference);
}

/** A member who returns is a plain one, unless the changes say otherwise. */
function rejoin(
  { purchased, changes = {} }: { readonly purchased: boolean; readonly changes?: MemberChanges },
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  return [
    { type: 'MemberRejoined', data: { ...reference, purchased } },
    ...change(changes, { ...member, role: 'member' }, reference),
  ];
}

function change(
  { role, minimumLevel }: MemberChanges,
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  const changes = diff<MemberChanges>(omitUndefined({ role, minimumLevel }), member);
  return Object.keys(changes).length === 0 ? [] : [{ type: 'MemberChanged', data: { ...reference, changes } }];
}

function leave(member: KnownMember, reference: MemberReference): readonly MemberEvent[] {
  if (member.role === 'owner')
    throw new Rejection('last_owner', 'The owner cannot leave the community: transfer it first.');
  return isPresent(member) ? [{ type: 'MemberLeft', data: reference }] : [];
}

function toDeparture(by: string | null, { status }: KnownMember, reference: MemberReference): Departure {
  return { ...reference, by, wasActive: status === 'active' };
}

/** Whether the member belongs to the community now. */
export function isPresent({ status }: Pick<Member, 'status'>): boolean {
  return status === 'active' || status === 'pending';
}

export function assertNotOwner({ role }: KnownMember): void {
  if (role === 'owner') throw new Rejection('owner_protected', 'The owner of the community cannot be changed.');
}

function assertActive({ status }: KnownMember): void {
  if (status !== 'active') throw Rejection.notFound();
}

export const memberDecider: Decider<Member, MemberCommand, MemberEvent> = {
  category: 'member',
  versions: {
    MemberJoined: 1,
    MemberImported: 1,
    MemberActivated: 1,
    MemberRejoined: 1,
    MemberChanged: 1,
    MemberLeft: 1,
    MemberRemoved: 1,
    MemberBanned: 1,
    MemberUnbanned: 1,
    ExpertBadgeAssigned: 1,
    ExpertBadgeRemoved: 1,
  },
  initial: { status: 'unknown' },
  evolve,
  decide,
};

/** A user has one member id in a community, so that requests at the same time join the same member. */
export function memberIdOf(communityId: string, userId: string): string {
  return idOf('mem', 0, communityId, userId);
}
