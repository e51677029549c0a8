import { memberDecider } from '../../../src/community/domain/member.js';
import { given } from '../../support/given.js';
import { memberJoined, newMember } from '../facts.js';

describe('A member', () => {
  it('joins with a role and a minimum level', () =>
    given(memberDecider)
      .when({ type: 'JoinCommunity', ...newMember })
      .then(memberJoined));

  it('joins once', () =>
    given(memberDecider, memberJoined)
      .when({ type: 'JoinCommunity', ...newMember })
      .thenNothing());
});
