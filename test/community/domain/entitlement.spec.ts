import { entitlementDecider, type EntitlementEvent } from '../../../src/community/domain/entitlement.js';
import { given } from '../../support/given.js';
import { NOW } from '../facts.js';

const right = { productId: 'prod_1', emailHash: 'hash', source: 'ps_1' };
const granted: EntitlementEvent = { type: 'EntitlementGranted', data: { ...right, userId: 'usr_1', at: NOW } };
const ended: EntitlementEvent = { type: 'EntitlementEnded', data: { ...right, userId: 'usr_1', at: NOW } };

describe('An entitlement', () => {
  it('is granted', () =>
    given(entitlementDecider)
      .when({ type: 'GrantEntitlement', ...right, userId: 'usr_1' })
      .then(granted));

  it('is granted once', () =>
    given(entitlementDecider, granted)
      .when({ type: 'GrantEntitlement', ...right, userId: 'usr_1' })
      .thenNothing());

  it('ends', () =>
    given(entitlementDecider, granted)
      .when({ type: 'EndEntitlement', ...right })
      .then(ended));

  it('ends once', () =>
    given(entitlementDecider, granted, ended)
      .when({ type: 'EndEntitlement', ...right })
      .thenNothing());
});
