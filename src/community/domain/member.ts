import type { Decider } from '../../kernel/decider.js';
import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { Fact } from '../../kernel/event.js';

export type Role = 'owner' | 'moderator' | 'member';

export interface NewMember {
  readonly memberId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly role: Role;
  /** The member never has a lower level, regardless of the points. */
  readonly minimumLevel: number;
}

export type MemberEvent = Fact<'MemberJoined', NewMember>;

export const MEMBER_STATUSES = ['active', 'pending', 'removed', 'banned'] as const;

export interface KnownMember {
  /** A pending member has not signed in yet with the address that an import gave. */
  readonly status: (typeof MEMBER_STATUSES)[number];
  readonly id: string;
  readonly userId: string;
  readonly email: EncryptedField | null;
  readonly role: Role;
  readonly minimumLevel: number;
}

export type Member = { readonly status: 'unknown' } | KnownMember;

function evolve(_: Member, { data: { memberId: id, userId, email, role, minimumLevel } }: MemberEvent): Member {
  return { status: 'active', id, userId, email, role, minimumLevel };
}

export type MemberCommand = NewMember & { readonly type: 'JoinCommunity' };

export const memberDecider: Decider<Member, MemberCommand, MemberEvent> = {
  category: 'member',
  versions: { MemberJoined: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide: ({ type: _, ...newMember }, state) =>
    state.status === 'unknown' ? [{ type: 'MemberJoined', data: newMember }] : [],
};
