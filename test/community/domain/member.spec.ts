import { member } from '../../../src/community/domain/member.js';
import { given } from '../../support/given.js';
import { joining, memberJoined } from '../facts.js';

describe('A member', () => {
  it('joins with a role and a minimum level', () =>
    given(member)
      .when({ type: 'JoinCommunity', ...joining })
      .then(memberJoined));

  it('joins once', () =>
    given(member, memberJoined)
      .when({ type: 'JoinCommunity', ...joining })
      .nothing());
});
