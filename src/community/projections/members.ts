import type { EncryptedField } from '../../kernel/encrypted-field.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { Position } from '../../kernel/position.js';
import { type Changes, pickId, type Projection } from '../../kernel/projection.js';
import { toReference } from '../../kernel/reference.js';
import {
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  ERASED,
  id,
  integer,
  KIND,
  nullable,
  object,
  personalString,
  ref,
  resource,
  string,
} from '../../kernel/schema.js';
import { addPoints, type DailyPoints, takePoints } from '../domain/daily-points.js';
import { MEMBER_STATUSES, type MemberEvent, type NewMember, ROLES } from '../domain/member-events.js';
import type { LedgerEntry } from '../domain/points.js';
import { communityFields } from './fields.js';

type MemberErased = Extract<MemberEvent, { type: 'MemberErased' }>;

export const memberUserSchema = object({
  object: describe(enumOf('user'), KIND),
  id: describe(id('usr'), 'The id of the user.'),
  email: describe(
    nullable(personalString),
    'The e-mail address of the user; null for a plain member who sees another one, for a user without an address, and once the user is forgotten.',
  ),
  name: describe(nullable(string), 'The name of the user; null when it is unknown.', 'Ada Lovelace'),
});

export const memberSchema = resource('CommunityMember', {
  ...communityFields('community_member', 'mem'),
  user: describe(memberUserSchema, 'The user who is the member.'),
  role: describe(
    enumOf(...ROLES),
    'Whether the member manages the community (`owner`), moderates it (`moderator`), or takes part (`member`).',
  ),
  status: describe(
    enumOf(...MEMBER_STATUSES),
    'Whether the member takes part (`active`), was added and has not signed in yet (`pending`), left or was removed (`removed`), or may not return (`banned`).',
  ),
  expert_badge: describe(
    nullable(
      object({
        assigned_at: describe(dateTime, 'The time at which the member received the badge.'),
        assigned_by: describe(ref('user', 'usr'), 'The user who assigned the badge.'),
      }),
    ),
    'The badge that marks an expert; null for other members.',
  ),
  joined_at: describe(
    nullable(dateTime),
    'The time at which the user joined, the last time after a return; null for a member who has never signed in.',
  ),
  level: describe(
    integer,
    'The level that the points give in the community, or the granted level when that is higher.',
    3,
  ),
  points: describe(integer, 'The balance of the points of the member; it is never negative.', 25),
});

/** The points, and so the level, are not facts of the member's own stream. */
interface MemberFacts extends Omit<DocumentOf<typeof memberSchema>, 'level' | 'points'> {
  readonly _createdAt: string;
  readonly _minimumLevel: number;
}

/** `level` depends on the levels of the community, so it is calculated when the member is shown. */
export interface MemberDocument extends MemberFacts, DocumentOf<typeof memberSchema> {
  /** The points of the latest days. A reversal counts on the day of its award. */
  readonly _daily: DailyPoints;
  /** Active, with points: a place on the leaderboard. */
  readonly _ranked: boolean;
  /** The position of the latest change; null before the first award. */
  readonly _changedAt: Position | null;
}

export const members: Projection<MemberDocument, MemberEvent | LedgerEntry> = {
  name: 'members',
  version: 7,
  id: pickId('memberId'),
  indexes: [
    ['community.id', 'status', 'role', '_createdAt'],
    ['community.id', 'user.email.hash', '_createdAt'],
    ['user.email.hash', 'status', '_createdAt'],
    ['user.id', 'status', '_createdAt'],
    ['community.id', '_ranked', 'points'],
    ['community.id', '_changedAt'],
  ],
  totals: [['community.id'], ['community.id', 'status', 'role'], ['community.id', '_ranked']],
  hourly: [{ group: ['community.id', 'status', 'role'], times: ['_createdAt'] }],
  on: trackRanking({
    ...createChanges<MemberDocument>(toMemberDocument),
    PointsAwarded: (member, { data, meta }) =>
      member && { ...member, points: data.balance, _daily: addPoints(member._daily, meta.at, data.points) },
    PointsReversed: (member, { data }) =>
      member && {
        ...member,
        points: data.balance,
        _daily: takePoints(member._daily, data.awardedAt, -data.points),
      },
  }),
};

/** Adds what leaderboards need to every change of a member. */
function trackRanking(
  changes: Changes<MemberDocument, MemberEvent | LedgerEntry>,
): Changes<MemberDocument, MemberEvent | LedgerEntry> {
  const tracked = Object.entries(changes).map(([type, change]) => [
    type,
    (document: MemberDocument | null, event: RecordedEvent, id: string) => {
      const member = (change as Change)(document, event, id);
      if (member === null) return null;
      const _ranked = member.status === 'active' && member.points > 0;
      return { ...member, _ranked, _changedAt: member._daily.length === 0 ? null : event.position };
    },
  ]);
  return Object.fromEntries(tracked) as Changes<MemberDocument, MemberEvent | LedgerEntry>;
}

type Change = (document: MemberDocument | null, event: RecordedEvent, id: string) => MemberDocument | null;

/** Renders the public events of a member, before the points and the level are added. It is not a read model. */
export const publishedMembers: Projection<MemberDocument, MemberEvent> = {
  name: 'publishedMembers',
  version: 1,
  id: pickId('memberId'),
  indexes: [],
  on: createChanges<MemberDocument>(toMemberDocument),
};

/** Only ids: everything else about the person is erased. */
export const erasedMemberSchema = resource('ErasedMember', {
  ...communityFields('community_member', 'mem'),
  erased: describe(ERASED, 'Always true: the address of the member is erased.', true),
});

/** Renders the public event of an erasure. It is not a read model. */
export const erasedMembers: Projection<DocumentOf<typeof erasedMemberSchema>, MemberErased> = {
  name: 'erasedMembers',
  version: 1,
  id: pickId('memberId'),
  indexes: [],
  on: {
    MemberErased: (_, { data: { memberId, communityId } }) => ({
      id: memberId,
      object: 'community_member',
      community: toReference('community', communityId),
      erased: true,
    }),
  },
};

/** Renders the facts of a member in the change history. It is not a read model. */
export const memberFacts: Projection<MemberFacts, MemberEvent> = {
  name: 'memberFacts',
  version: 1,
  id: pickId('memberId'),
  indexes: [],
  on: createChanges<MemberFacts>((facts) => facts),
};

function toMemberDocument(facts: MemberFacts): MemberDocument {
  const ranking = { points: 0, _daily: [], _ranked: false, _changedAt: null };
  return { ...facts, level: facts._minimumLevel, ...ranking };
}

function createChanges<D extends MemberFacts>(complete: (facts: MemberFacts) => D): Changes<D, MemberEvent> {
  return {
    MemberJoined: (_, { data, meta }) => complete(toMemberFacts(data, 'active', meta.at)),
    MemberImported: (_, { data, meta }) => complete(toMemberFacts(data, data.status, meta.at)),
    MemberActivated: (member, { data }) =>
      member && {
        ...member,
        status: 'active',
        joined_at: data.at,
        user: { ...member.user, id: data.userId },
      },
    MemberRejoined: (member, { data: { at, status = 'active' } }) =>
      member && { ...member, status, role: 'member', joined_at: status === 'active' ? at : null },
    MemberChanged: (member, { data: { changes } }) =>
      member && {
        ...member,
        role: changes.role ?? member.role,
        _minimumLevel: changes.minimumLevel ?? member._minimumLevel,
      },
    MemberAddressChanged: (member, { data: { email } }) => member && { ...member, user: { ...member.user, email } },
    MemberErased: (member) => member,
    MemberLeft: (member) => member && { ...member, status: 'removed', expert_badge: null },
    MemberRemoved: (member) => member && { ...member, status: 'removed', expert_badge: null },
    MemberBanned: (member) => member && { ...member, status: 'banned', expert_badge: null },
    MemberUnbanned: (member, { data }) => member && { ...member, status: data.status },
    OwnershipChanged: (member, { data }) => member && { ...member, status: 'active', role: data.role },
    ExpertBadgeAssigned: (member, { data }) =>
      member && { ...member, expert_badge: { assigned_at: data.at, assigned_by: toReference('user', data.by) } },
    ExpertBadgeRemoved: (member) => member && { ...member, expert_badge: null },
  };
}

function toMemberFacts(
  { memberId, communityId, userId, email, role, minimumLevel }: NewMember,
  status: 'active' | 'pending',
  at: string,
): MemberFacts {
  return {
    id: memberId,
    object: 'community_member',
    community: toReference('community', communityId),
    user: { ...toReference('user', userId), email, name: null },
    role,
    status,
    expert_badge: null,
    joined_at: status === 'active' ? at : null,
    _createdAt: at,
    _minimumLevel: minimumLevel,
  };
}

/** The address of a member, when the viewer may see it. */
export function showMember(member: MemberDocument, level: number, showsEmail: boolean): MemberDocument {
  const email: EncryptedField | null = showsEmail ? member.user.email : null;
  return { ...member, level, user: { ...member.user, email } };
}
