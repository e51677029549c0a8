import { communityDecider, type KnownCommunity } from '../../../src/community/domain/community.js';
import { assertModerator, assertNotOutsider, determineRole } from '../../../src/community/domain/community-role.js';
import { memberDecider, type Role } from '../../../src/community/domain/member.js';
import { fold } from '../../../src/kernel/decider.js';
import { communityCreated, memberJoined } from '../facts.js';

const potters = fold(communityDecider, [communityCreated]) as KnownCommunity;
const nonMember = memberDecider.initial;
const as = (role: Role) =>
  fold(memberDecider, [{ ...memberJoined, data: { ...memberJoined.data, userId: 'usr_2', role } }]);

describe('The role in a community', () => {
  it.each([
    ['its owner', nonMember, { userId: 'usr_1', business: null }, 'owner'],
    ['a key of its business', nonMember, { userId: 'usr_9', business: 'biz_1' }, 'owner'],
    ['a moderator', as('moderator'), { userId: 'usr_2', business: null }, 'moderator'],
    ['a member', as('member'), { userId: 'usr_2', business: null }, 'member'],
    ['a member with a key of another business', as('member'), { userId: 'usr_2', business: 'biz_2' }, 'member'],
    ['another user', nonMember, { userId: 'usr_3', business: null }, 'outsider'],
    ['a key of another business', nonMember, { userId: 'usr_3', business: 'biz_2' }, 'outsider'],
  ] as const)('is determined for %s', (_, known, viewer, role) =>
    expect(determineRole(potters, known, viewer)).toBe(role),
  );

  it('is outsider for a caller without a business in a community without a business', () =>
    expect(determineRole({ ...potters, business: null }, nonMember, { userId: 'usr_3', business: null })).toBe(
      'outsider',
    ));

  it('allows every role except outsiders to participate', () => {
    for (const role of ['owner', 'moderator', 'member'] as const) assertNotOutsider(role);
    expect(() => assertNotOutsider('outsider')).toThrow('not_a_member');
  });

  it('allows only the owner and moderators to moderate', () => {
    for (const role of ['owner', 'moderator'] as const) assertModerator(role);
    expect(() => assertModerator('member')).toThrow('permission_denied');
    expect(() => assertModerator('outsider')).toThrow('not_a_member');
  });
});
