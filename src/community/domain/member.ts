import type { Decider } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import type { Sealed } from '../../kernel/sealed.js';

export type Role = 'owner' | 'moderator' | 'member';

interface Joining {
  readonly memberId: string;
  readonly communityId: string;
  readonly userId: string;
  readonly email: Sealed | null;
  readonly role: Role;
  /** The member never has a lower level, regardless of the points. */
  readonly floor: number;
}

export type MemberEvent = Fact<'MemberJoined', Joining & { readonly at: string }>;

export interface KnownMember {
  readonly status: 'active';
  readonly id: string;
  readonly userId: string;
  readonly email: Sealed | null;
  readonly role: Role;
  readonly floor: number;
}

export type Member = { readonly status: 'unknown' } | KnownMember;

function evolve(_: Member, { data: { memberId: id, userId, email, role, floor } }: MemberEvent): Member {
  return { status: 'active', id, userId, email, role, floor };
}

export type MemberCommand = Joining & { readonly type: 'JoinCommunity' };

export const member: Decider<Member, MemberCommand, MemberEvent> = {
  category: 'member',
  versions: { MemberJoined: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide: ({ type: _, ...joining }, state, { now }) =>
    state.status === 'unknown' ? [{ type: 'MemberJoined', data: { ...joining, at: now } }] : [],
};
