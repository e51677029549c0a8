import { apiKey, type ApiKeyEvent } from '../../../src/identity/domain/api-key.js';
import { business, type BusinessEvent } from '../../../src/identity/domain/business.js';
import { userEmail } from '../../../src/identity/domain/claim.js';
import { user, type UserEvent } from '../../../src/identity/domain/user.js';
import { given } from '../../support/given.js';

describe('A business', () => {
  const wish = { type: 'CreateBusiness', businessId: 'biz_1', name: 'Acme', ownerId: 'usr_1' } as const;
  const created: BusinessEvent = { type: 'BusinessCreated', data: { businessId: 'biz_1', name: 'Acme', ownerId: 'usr_1' } };

  it('is created for its owner', () => given(business).when(wish).then(created));
  it('is created once', () => given(business, created).when(wish).nothing());
});

describe('A user', () => {
  const registered: UserEvent = { type: 'UserRegistered', data: { userId: 'usr_1', subject: 'hash-of-ann' } };
  const email = { box: 'sealed', hash: 'hash-of-address' };
  const verified: UserEvent = { type: 'UserEmailVerified', data: { userId: 'usr_1', email } };
  const register = { type: 'RegisterUser', userId: 'usr_1', subject: 'hash-of-ann' } as const;
  const verify = { type: 'VerifyUserEmail', userId: 'usr_1', email } as const;

  it('comes to be at first sight', () => given(user).when(register).then(registered));
  it('comes to be once', () => given(user, registered).when(register).nothing());
  it('has a verified address', () => given(user, registered).when(verify).then(verified));
  it('keeps an address that is verified again, however it is sealed', () =>
    given(user, registered, verified)
      .when({ ...verify, email: { ...email, box: 'sealed anew' } })
      .nothing());
  it('has no address before it exists', () => given(user).when(verify).nothing());
});

describe('A claim', () => {
  const claimed = { type: 'UserEmailClaimed', data: { ownerId: 'usr_1' } } as const;

  it('goes to whoever comes first', () => given(userEmail).when({ type: 'Claim', ownerId: 'usr_1' }).then(claimed));
  it('stays theirs', () => given(userEmail, claimed).when({ type: 'Claim', ownerId: 'usr_2' }).nothing());
});

describe('An API key', () => {
  const facts = {
    keyId: 'key_1',
    businessId: 'biz_1',
    userId: 'usr_1',
    name: 'Shop',
    mode: 'live',
    access: 'full',
    prefix: 'sk_live_',
    last4: 'abcd',
    expiresAt: null,
  } as const;
  const created: ApiKeyEvent = { type: 'ApiKeyCreated', data: facts };

  it('is created without its plaintext', () =>
    given(apiKey)
      .when({ type: 'CreateApiKey', ...facts })
      .then(created));
  it('is created once', () =>
    given(apiKey, created)
      .when({ type: 'CreateApiKey', ...facts })
      .nothing());
});
