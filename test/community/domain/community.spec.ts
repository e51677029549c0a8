import { communityDecider, type CommunitySettings } from '../../../src/community/domain/community.js';
import { given } from '../../support/given.js';
import { communityCreated, newCommunity } from '../facts.js';

const NOW = '2026-02-01T09:00:00.000Z';
const toEdited = (changes: Partial<CommunitySettings>) =>
  ({ type: 'CommunityEdited', data: { communityId: 'com_1', changes, at: NOW } }) as const;
const paid = toEdited({ tier: 'paid', productId: 'prod_1' });

const edited = (changes: Partial<CommunitySettings>) =>
  given(communityDecider, communityCreated, paid).when({ type: 'EditCommunity', settings: changes, reopens: false });

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

  it('keeps its product while it is paid', () => {
    edited({ productId: null }).thenRejects('product_required', 'product_id');
    edited({ productId: 'prod_2' }).then(toEdited({ productId: 'prod_2' }));
  });

  it('is reopened by an edit that says so', () => {
    const archived = { type: 'CommunityArchived', data: { communityId: 'com_1', at: NOW } } as const;
    const reopened = { type: 'CommunityReopened', data: { communityId: 'com_1', at: NOW } } as const;
    const edit = { type: 'EditCommunity', settings: { name: 'Again' } } as const;
    const past = given(communityDecider, communityCreated, archived);

    past.when({ ...edit, reopens: false }).thenRejects('community_archived');
    past.when({ ...edit, reopens: true }).then(reopened, toEdited({ name: 'Again' }));
    past.when({ ...edit, settings: {}, reopens: true }).then(reopened);
    given(communityDecider, communityCreated, archived, reopened)
      .when({ ...edit, settings: {}, reopens: true })
      .thenNothing();
  });

  it('becomes free without a product', () => {
    edited({ tier: 'free' }).thenRejects('validation_failed', 'product_id');
    edited({ tier: 'free', productId: null }).then(toEdited({ tier: 'free', productId: null }));
  });

  it('is changed otherwise while it is paid without a product', () =>
    given(communityDecider, { ...communityCreated, data: { ...communityCreated.data, tier: 'paid' } })
      .when({ type: 'EditCommunity', settings: { name: 'Weavers', tier: 'paid', productId: null }, reopens: false })
      .then(toEdited({ name: 'Weavers' })));

  it('is created once', () =>
    given(communityDecider, communityCreated)
      .when({ type: 'CreateCommunity', ...newCommunity })
      .thenNothing());
});
