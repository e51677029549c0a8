import type { Decider, DecisionContext } from '../../kernel/decider.js';
import { diff } from '../../kernel/diff.js';
import { type EncryptedField, isSameAddress } from '../../kernel/encrypted-field.js';
import { idOf } from '../../kernel/ids.js';
import { omitUndefined } from '../../kernel/omit-undefined.js';
import { Rejection } from '../../kernel/rejection.js';
import { LOWEST_LEVEL } from './levels.js';
import type {
  Departure,
  ImportedMember,
  MemberChanges,
  MemberEvent,
  MemberReference,
  NewMember,
  Ownership,
} from './member-events.js';
import { evolveMember, isPresent, type KnownMember, type Member } from './member-state.js';

/** The caller's permission is checked before; `userId` is the user who acts, or who signed in. */
export type MemberCommand =
  | { readonly type: 'JoinCommunity'; readonly member: NewMember }
  | { readonly type: 'ImportMember'; readonly member: ImportedMember; readonly changes: MemberChanges }
  /** `email`: the address of the row, if any. */
  | { readonly type: 'ReimportMember'; readonly email: EncryptedField | null; readonly changes: MemberChanges }
  | { readonly type: 'LeaveCommunity' | 'RemoveExpertBadge' | 'EndPurchase' }
  | ({ readonly type: 'ChangeOwnership' } & Ownership)
  | { readonly type: 'MergeMember'; readonly userId: string; readonly into: string }
  | { readonly type: 'RejoinCommunity'; readonly purchased: boolean; readonly changes?: MemberChanges }
  | { readonly type: 'ChangeMember'; readonly changes: MemberChanges }
  | { readonly type: 'RecordErasure'; readonly emailHash: string }
  | { readonly type: 'ChangeAddress'; readonly email: EncryptedField | null }
  | {
      readonly type: 'ActivateMember' | 'RemoveMember' | 'BanMember' | 'UnbanMember' | 'AssignExpertBadge';
      readonly userId: string;
    };

function decide(command: MemberCommand, member: Member, { now: at }: DecisionContext): readonly MemberEvent[] {
  if (command.type === 'JoinCommunity') {
    return member.status === 'unknown' ? [{ type: 'MemberJoined', data: command.member }] : [];
  }
  if (command.type === 'ImportMember' && member.status === 'unknown')
    return [{ type: 'MemberImported', data: { ...command.member, at } }];
  if (member.status === 'unknown') throw Rejection.notFound();

  const reference = { memberId: member.id, communityId: member.communityId, userId: member.userId, at };
  switch (command.type) {
    case 'ImportMember':
      return reimport(command.member.email, command.changes, member, reference);
    case 'ReimportMember':
      return reimport(command.email, command.changes, member, reference);
    case 'ActivateMember':
      return member.status === 'pending'
        ? [{ type: 'MemberActivated', data: { ...reference, userId: command.userId } }]
        : [];
    case 'ChangeOwnership':
      return changeOwnership(command, member, reference);
    case 'RejoinCommunity':
      return member.status === 'removed' ? rejoin(command, { ...member, isPending: false }, reference) : [];
    case 'ChangeMember':
      assertChangeable(member, command.changes);
      return change(command.changes, member, reference);
    case 'ChangeAddress':
      return changeAddress(command.email, member, reference);
    case 'RecordErasure':
      if (member.isErased || member.email?.hash !== command.emailHash) return [];
      return [{ type: 'MemberErased', data: reference }];
    case 'LeaveCommunity':
      return leave(member, reference);
    case 'RemoveMember':
      assertNotOwner(member);
      return isPresent(member) ? [{ type: 'MemberRemoved', data: toDeparture(command.userId, member, reference) }] : [];
    case 'MergeMember':
      if (member.status !== 'pending') return [];
      return [
        {
          type: 'MemberRemoved',
          data: { ...toDeparture(command.userId, member, reference), mergedInto: command.into },
        },
      ];
    case 'EndPurchase':
      return member.purchased && member.role !== 'owner' && isPresent(member)
        ? [{ type: 'MemberRemoved', data: toDeparture(null, member, reference) }]
        : [];
    case 'BanMember':
      assertNotOwner(member);
      return member.status === 'banned'
        ? []
        : [{ type: 'MemberBanned', data: toDeparture(command.userId, member, reference) }];
    case 'UnbanMember':
      if (member.status === 'removed') throw Rejection.notFound();
      if (member.status === 'pending') throw createPendingRejection();
      return member.status === 'banned' ? unban(command.userId, member, reference) : [];
    case 'AssignExpertBadge':
      assertActive(member);
      return member.isExpert ? [] : [{ type: 'ExpertBadgeAssigned', data: { ...reference, by: command.userId } }];
    case 'RemoveExpertBadge':
      return member.isExpert ? [{ type: 'ExpertBadgeRemoved', data: reference }] : [];
  }
}

/**
 * Gives an existing member the role and the level that the row of an import names. The import is a reason to stay when a
 * purchase ends.
 */
function reimport(
  email: EncryptedField | null,
  changes: MemberChanges,
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  assertNotOwner(member);
  if (member.status === 'banned') throw Rejection.ofField('email', 'banned_member', 'The member is banned.');
  const changed =
    member.status === 'removed'
      ? rejoin({ purchased: false, changes }, member, reference)
      : change({ ...changes, purchased: false }, member, reference);
  return [...changed, ...knowAgain(email, member, reference)];
}

/** A pending member whose address was erased has it again when it is given again. The address of others is their user's. */
function knowAgain(
  email: EncryptedField | null,
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  if (email === null) return [];
  const isGivenAgain = member.isPending && member.email?.hash === email.hash && !isSameAddress(member.email, email);
  return isGivenAgain ? [{ type: 'MemberAddressChanged', data: { ...reference, email } }] : [];
}

const PLAIN = { role: 'member', minimumLevel: LOWEST_LEVEL } as const;

/** A member who returns is a plain one, unless the changes say otherwise. */
function rejoin(
  { purchased, changes = {} }: { readonly purchased: boolean; readonly changes?: MemberChanges },
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  return [
    { type: 'MemberRejoined', data: { ...reference, purchased, ...(member.isPending && { status: 'pending' }) } },
    ...change({ ...PLAIN, ...omitUndefined(changes) }, { ...member, role: 'member' }, reference),
  ];
}

function change(
  { role, minimumLevel, purchased }: MemberChanges,
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  const changes = diff<MemberChanges>(omitUndefined({ role, minimumLevel, purchased }), member);
  return Object.keys(changes).length === 0 ? [] : [{ type: 'MemberChanged', data: { ...reference, changes } }];
}

/** The address of a pending member is the one with which its user will sign in. */
function changeAddress(
  email: EncryptedField | null,
  member: KnownMember,
  reference: MemberReference,
): readonly MemberEvent[] {
  if (member.isPending || isSameAddress(member.email, email)) return [];
  return [{ type: 'MemberAddressChanged', data: { ...reference, email } }];
}

/** An earlier transfer changes nothing after a later one. */
function changeOwnership(
  { role, transfer }: Ownership,
  member: KnownMember,
  reference: MemberReference,
): MemberEvent[] {
  if (transfer <= member.lastTransfer) return [];
  const wasActive = member.status === 'active';
  return [{ type: 'OwnershipChanged', data: { ...reference, role, transfer, wasActive } }];
}

function unban(by: string, member: KnownMember, reference: MemberReference): readonly MemberEvent[] {
  const status = member.isPending ? 'pending' : 'active';
  return [{ type: 'MemberUnbanned', data: { ...reference, by, status } }, ...change(PLAIN, member, reference)];
}

function leave(member: KnownMember, reference: MemberReference): readonly MemberEvent[] {
  if (member.role === 'owner') throw createLastOwnerRejection();
  return isPresent(member) ? [{ type: 'MemberLeft', data: reference }] : [];
}

function toDeparture(by: string | null, { status }: KnownMember, reference: MemberReference): Departure {
  return { ...reference, by, wasActive: status === 'active' };
}

/** Nobody else can sign in for the member. */
function createPendingRejection(): Rejection {
  return Rejection.ofField('status', 'not_allowed', 'A pending member becomes active by signing in.');
}

export function createLastOwnerRejection(): Rejection {
  return new Rejection('last_owner', 'The owner cannot leave the community: transfer it first.');
}

export function assertNotOwner({ role }: Pick<KnownMember, 'role'>): void {
  if (role === 'owner') throw new Rejection('owner_protected', 'The owner of the community cannot be changed.');
}

/**
 * A member who is gone or banned has no role and no level to change: a return begins with those of a plain member.
 * @throws Rejection not_found
 */
function assertChangeable(member: KnownMember, changes: MemberChanges): void {
  if (!isPresent(member) && Object.keys(omitUndefined(changes)).length > 0) throw Rejection.notFound();
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
    MemberAddressChanged: 1,
    MemberErased: 1,
    MemberLeft: 1,
    MemberRemoved: 1,
    MemberBanned: 1,
    MemberUnbanned: 1,
    OwnershipChanged: 1,
    ExpertBadgeAssigned: 1,
    ExpertBadgeRemoved: 1,
  },
  initial: { status: 'unknown' },
  evolve: evolveMember,
  decide,
};

/** A user has one member id in a community, so that requests at the same time join the same member. */
export function memberIdOf(communityId: string, userId: string): string {
  return idOf('mem', 0, communityId, userId);
}
