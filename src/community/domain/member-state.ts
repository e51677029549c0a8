import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { MemberEvent, MemberStatus, NewMember, Role } from './member-events.js';

export interface KnownMember {
  readonly status: MemberStatus;
  readonly id: string;
  readonly communityId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  /** The address is erased; missing for others. */
  readonly isErased?: boolean;
  readonly role: Role;
  readonly minimumLevel: number;
  readonly isExpert: boolean;
  /** The purchase is the only reason of the membership. */
  readonly purchased: boolean;
  /** The user has not signed in yet, also during a ban and after a removal. */
  readonly isPending: boolean;
  /** The member as whom the user had joined when this pending one was removed; missing for others. */
  readonly mergedInto?: string;
  /** The latest transfer of the community that changed the role. */
  readonly lastTransfer: number;
}

export type Member = { readonly status: 'unknown' } | KnownMember;

export function evolveMember(member: Member, event: MemberEvent): Member {
  if (event.type === 'MemberJoined') return toMember(event.data, 'active');
  if (event.type === 'MemberImported') return toMember(event.data, event.data.status);
  if (member.status === 'unknown') return member;

  switch (event.type) {
    case 'MemberActivated':
      return { ...member, status: 'active', userId: event.data.userId, isPending: false };
    case 'MemberUnbanned':
      return { ...member, status: event.data.status };
    case 'OwnershipChanged':
      return { ...member, status: 'active', role: event.data.role, lastTransfer: event.data.transfer };
    case 'MemberRejoined':
      return { ...member, ...toPresence(event.data.status), role: 'member', purchased: event.data.purchased };
    case 'MemberChanged':
      return { ...member, ...event.data.changes };
    case 'MemberAddressChanged':
      return { ...member, email: event.data.email, isErased: false };
    case 'MemberErased':
      return { ...member, isErased: true };
    case 'MemberLeft':
      return { ...member, status: 'removed', isExpert: false };
    case 'MemberRemoved':
      return { ...member, status: 'removed', isExpert: false, ...pickMerge(event.data) };
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
  const known = { status, id, communityId, userId, email, role, minimumLevel, purchased };
  return { ...known, isExpert: false, isPending: status === 'pending', lastTransfer: 0 };
}

function pickMerge({ mergedInto }: { readonly mergedInto?: string }): Pick<KnownMember, 'mergedInto'> {
  return mergedInto === undefined ? {} : { mergedInto };
}

function toPresence(status: 'active' | 'pending' = 'active'): Pick<KnownMember, 'status' | 'isPending'> {
  return { status, isPending: status === 'pending' };
}

/** Whether the member belongs to the community now. */
export function isPresent({ status }: Pick<Member, 'status'>): boolean {
  return status === 'active' || status === 'pending';
}
