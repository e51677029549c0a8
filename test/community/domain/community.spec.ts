import { community } from '../../../src/community/domain/community.js';
import { given } from '../../support/given.js';
import { communityCreated, founding } from '../facts.js';

describe('A community', () => {
  it('is created with the default levels', () =>
    given(community)
      .when({ type: 'CreateCommunity', ...founding })
      .then(communityCreated));

  it('may be paid without a product', () =>
    given(community)
      .when({ type: 'CreateCommunity', ...founding, tier: 'paid' })
      .then({ ...communityCreated, data: { ...communityCreated.data, tier: 'paid' } }));

  it('refuses a product while it is free', () =>
    given(community)
      .when({ type: 'CreateCommunity', ...founding, productId: 'prod_1' })
      .refuses('validation_failed', 'product_id'));

  it('is created once', () =>
    given(community, communityCreated)
      .when({ type: 'CreateCommunity', ...founding })
      .nothing());
});
