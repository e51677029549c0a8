import { communityDecider, type KnownCommunity } from '../../../src/community/domain/community.js';
import {
  assertCanDelete,
  assertPermitted,
  type CommunityAction,
  type CommunityRole,
  determineRole,
} from '../../../src/community/domain/community-role.js';
import { memberDecider } from '../../../src/community/domain/member.js';
import type { Role } from '../../../src/community/domain/member-events.js';
import type { KnownMember } from '../../../src/community/domain/member-state.js';
import { fold } from '../../../src/kernel/decider.js';
import { Rejection } from '../../../src/kernel/rejection.js';
import { communityCreated, memberJoined } from '../facts.js';

const potters = fold(communityDecider, [communityCreated]) as KnownCommunity;
const nonMember = memberDecider.initial;
const as = (role: Role) =>
  fold(memberDecider, [{ ...memberJoined, data: { ...memberJoined.data, userId: 'usr_2', role } }]) as KnownMember;

function outcomeOf(work: () => void): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as Rejection).code;
  }
}

describe('The role in a community', () => {
  it.each([
    ['its owner', nonMember, { userId: 'usr_1', business: null }, 'owner'],
    ['a key of its business', nonMember, { userId: 'usr_9', business: 'biz_1' }, 'owner'],
    ['an earlier owner', as('owner'), { userId: 'usr_2', business: null }, 'moderator'],
    ['a moderator', as('moderator'), { userId: 'usr_2', business: null }, 'moderator'],
    ['a member', as('member'), { userId: 'usr_2', business: null }, 'member'],
    ['a member with a key of another business', as('member'), { userId: 'usr_2', business: 'biz_2' }, 'member'],
    ['a pending member', { ...as('member'), status: 'pending' }, { userId: 'usr_2', business: null }, 'member'],
    ['a removed moderator', { ...as('moderator'), status: 'removed' }, { userId: 'usr_2', business: null }, 'outsider'],
    ['a banned member', { ...as('member'), status: 'banned' }, { userId: 'usr_2', business: null }, 'outsider'],
    ['another user', nonMember, { userId: 'usr_3', business: null }, 'outsider'],
    ['a key of another business', nonMember, { userId: 'usr_3', business: 'biz_2' }, 'outsider'],
  ] as const)('is determined for %s', (_, known, viewer, role) =>
    expect(determineRole(potters, known, viewer)).toBe(role),
  );

  it('is outsider for a caller without a business in a community without a business', () =>
    expect(determineRole({ ...potters, business: null }, nonMember, { userId: 'usr_3', business: null })).toBe(
      'outsider',
    ));
});

describe('The permission', () => {
  const [ok, low, none, over] = ['ok', 'permission_denied', 'not_a_member', 'community_archived'];

  /** The outcomes for owner, moderator, member and outsider, then for the owner of an archived community. */
  it.each([
    ['read', [ok, ok, ok, none], ok],
    ['inspect', [ok, ok, low, none], ok],
    ['participate', [ok, ok, ok, none], over],
    ['retract', [ok, ok, ok, none], ok],
    ['moderate', [ok, ok, low, none], over],
    ['remove', [ok, ok, low, none], ok],
    ['manage', [ok, low, low, none], over],
    ['archive', [ok, low, low, none], ok],
  ] as const)('to %s depends on the role and on the status of the community', (action, outcomes, archived) => {
    const roles: CommunityRole[] = ['owner', 'moderator', 'member', 'outsider'];
    const to = (one: CommunityAction, role: CommunityRole, status: KnownCommunity['status']) =>
      outcomeOf(() => assertPermitted(one, role, { ...potters, status }));

    expect(roles.map((role) => to(action, role, 'active'))).toEqual(outcomes);
    expect(to(action, 'owner', 'archived')).toBe(archived);
  });

  it.each([
    ['the owner', 'owner', 'usr_1', [ok, ok, ok]],
    ['a moderator', 'moderator', 'usr_2', [low, ok, ok]],
    ['a member', 'member', 'usr_3', [low, low, ok]],
  ] as const)('to delete content of %s depends on its author', (_, role, userId, outcomes) =>
    expect(
      ['usr_1', 'usr_2', 'usr_3'].map((author) => outcomeOf(() => assertCanDelete(role, potters, author, userId))),
    ).toEqual(outcomes),
  );
});
