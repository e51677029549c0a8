import { communityDecider } from '../../../src/community/domain/community.js';
import { given } from '../../support/given.js';
import { communityCreated, newCommunity } from '../facts.js';

describe('A community', () => {
  it('is created with the default levels', () =>
    given(communityDecider)
      .when({ type: 'CreateCommunity', ...newCommunity })
      .then(communityCreated));

  it('may be paid without a product', () =>
    given(communityDecider)
      .when({ type: 'CreateCommunity', ...newCommunity, tier: 'paid' })
      .then({ ...communityCreated, data: { ...communityCreated.data, tier: 'paid' } }));

  it('refuses a product while it is free', () =>
    given(communityDecider)
      .when({ type: 'CreateCommunity', ...newCommunity, productId: 'prod_1' })
      .thenRejects('validation_failed', 'product_id'));

  it('is created once', () =>
    given(communityDecider, communityCreated)
      .when({ type: 'CreateCommunity', ...newCommunity })
      .thenNothing());
});
