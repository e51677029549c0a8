import { membershipDecider, type MembershipEvent, membershipIdOf } from '../../../src/community/domain/membership.js';
import { given } from '../../support/given.js';

const claimed: MembershipEvent = {
  type: 'MembershipClaimed',
  data: { communityId: 'com_1', memberId: 'mem_1' },
};

describe('The membership of a user or an address', () => {
  it('is claimed by a member', () =>
    given(membershipDecider).when({ type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_1' }).then(claimed));

  it('records no event when the same member claims it again', () =>
    given(membershipDecider, claimed)
      .when({ type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_1' })
      .thenNothing());

  it('refuses a second member', () =>
    given(membershipDecider, claimed)
      .when({ type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_2' })
      .thenRejects('already_member'));

  it('passes to the member that replaces the present one, and to no other', () => {
    const replace = { type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_2' } as const;
    const passed: MembershipEvent = { type: 'MembershipClaimed', data: { communityId: 'com_1', memberId: 'mem_2' } };
    given(membershipDecider, claimed)
      .when({ ...replace, replaces: 'mem_1' })
      .then(passed);
    given(membershipDecider, claimed)
      .when({ ...replace, replaces: 'mem_3' })
      .thenRejects('already_member');
  });

  it('has a different id in another community', () =>
    expect(membershipIdOf('com_1', 'usr_1')).not.toBe(membershipIdOf('com_2', 'usr_1')));
});
