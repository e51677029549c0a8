import { membership, membershipId, type MembershipEvent } from '../../../src/community/domain/membership.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const claimed: MembershipEvent = { type: 'MembershipClaimed', data: { communityId: 'com_1', memberId: 'mem_1', at: NOW } };

describe('The place of a user or an address in a community', () => {
  it('is claimed by a member', () =>
    given(membership).when({ type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_1' }).then(claimed));

  it('stays with its member when it is claimed again', () =>
    given(membership, claimed).when({ type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_1' }).nothing());

  it('is not for a second member', () =>
    given(membership, claimed).when({ type: 'ClaimMembership', communityId: 'com_1', memberId: 'mem_2' }).refuses('already_member'));

  it('is another one in another community', () => expect(membershipId('com_1', 'usr_1')).not.toBe(membershipId('com_2', 'usr_1')));
});
