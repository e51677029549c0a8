import { community, type KnownCommunity } from '../../../src/community/domain/community.js';
import { member, type Role } from '../../../src/community/domain/member.js';
import { refuseAllButModerators, refuseOutsiders, standingOf } from '../../../src/community/domain/standing.js';
import { fold } from '../../../src/kernel/decider.js';
import { communityCreated, memberJoined } from '../facts.js';

const potters = fold(community, [communityCreated]) as KnownCommunity;
const nobody = member.initial;
const as = (role: Role) => fold(member, [{ ...memberJoined, data: { ...memberJoined.data, userId: 'usr_2', role } }]);

describe('The role in a community', () => {
  it.each([
    ['its owner', nobody, { userId: 'usr_1', business: null }, 'owner'],
    ['a key of its business', nobody, { userId: 'usr_9', business: 'biz_1' }, 'owner'],
    ['a moderator', as('moderator'), { userId: 'usr_2', business: null }, 'moderator'],
    ['a member', as('member'), { userId: 'usr_2', business: null }, 'member'],
    ['a member with a key of another business', as('member'), { userId: 'usr_2', business: 'biz_2' }, 'member'],
    ['another user', nobody, { userId: 'usr_3', business: null }, 'outsider'],
    ['a key of another business', nobody, { userId: 'usr_3', business: 'biz_2' }, 'outsider'],
  ] as const)('is determined for %s', (_, known, visitor, standing) => expect(standingOf(potters, known, visitor)).toBe(standing));

  it('is outsider for a caller without a business in a community without a business', () =>
    expect(standingOf({ ...potters, business: null }, nobody, { userId: 'usr_3', business: null })).toBe('outsider'));

  it('allows every role except outsiders to participate', () => {
    for (const standing of ['owner', 'moderator', 'member'] as const) refuseOutsiders(standing);
    expect(() => refuseOutsiders('outsider')).toThrow('not_a_member');
  });

  it('allows only the owner and moderators to moderate', () => {
    for (const standing of ['owner', 'moderator'] as const) refuseAllButModerators(standing);
    expect(() => refuseAllButModerators('member')).toThrow('permission_denied');
    expect(() => refuseAllButModerators('outsider')).toThrow('not_a_member');
  });
});
