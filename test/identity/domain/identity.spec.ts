import { apiKeyDecider, type ApiKeyEvent } from '../../../src/identity/domain/api-key.js';
import { businessDecider, type BusinessEvent } from '../../../src/identity/domain/business.js';
import { userEmailClaims } from '../../../src/identity/domain/claim.js';
import { userDecider, type UserEvent } from '../../../src/identity/domain/user.js';
import { given } from '../../support/given.js';

describe('A business', () => {
  const command = { type: 'CreateBusiness', businessId: 'biz_1', name: 'Acme', ownerId: 'usr_1' } as const;
  const created: BusinessEvent = {
    type: 'BusinessCreated',
    data: { businessId: 'biz_1', name: 'Acme', ownerId: 'usr_1' },
  };

  it('is created for its owner', () => given(businessDecider).when(command).then(created));
  it('is created once', () => given(businessDecider, created).when(command).thenNothing());
});

describe('A user', () => {
  const registered: UserEvent = { type: 'UserRegistered', data: { userId: 'usr_1', subject: 'hash-of-ann' } };
  const email = { box: 'ann.encrypted', hash: 'hash-of-address' };
  const verified: UserEvent = { type: 'UserEmailVerified', data: { userId: 'usr_1', email } };
  const givenAgain = { box: 'ann~1.encrypted', hash: email.hash };
  const register = { type: 'RegisterUser', userId: 'usr_1', subject: 'hash-of-ann' } as const;
  const verify = { type: 'VerifyUserEmail', userId: 'usr_1', email } as const;

  it('is registered by the first session', () => given(userDecider).when(register).then(registered));
  it('is registered once', () => given(userDecider, registered).when(register).thenNothing());
  it('has a verified address', () => given(userDecider, registered).when(verify).then(verified));
  it('keeps an address that is verified again, however it is encrypted', () =>
    given(userDecider, registered, verified)
      .when({ ...verify, email: { ...email, box: 'ann.encrypted again' } })
      .thenNothing());
  it('has an address of an older event, without a claim, until a token names another one', () => {
    const claim = { subject: 'hash-of-ann', emailHash: 'hash-of-another', issuedAt: 1 };
    const other = { box: 'encrypted', hash: claim.emailHash };
    given(userDecider, registered, verified)
      .when({ ...verify, email: other, claim })
      .then({ type: 'UserEmailVerified', data: { userId: 'usr_1', email: other, claim } });
  });
  it('keeps its address from a token that is older than the one that set it', () => {
    const claim = { subject: 'hash-of-ann', emailHash: email.hash, issuedAt: 2 };
    const old = { subject: 'hash-of-ann', emailHash: 'hash-of-another', issuedAt: 1 };
    const claimed: UserEvent = { type: 'UserEmailVerified', data: { userId: 'usr_1', email, claim } };
    given(userDecider, registered, claimed)
      .when({ ...verify, email: { box: 'encrypted', hash: old.emailHash }, claim: old })
      .thenNothing();
    given(userDecider, registered, claimed)
      .when({ type: 'ReleaseUserEmail', userId: 'usr_1', claim: old })
      .thenNothing();
  });
  it('is linked to another user once', () => {
    const link = { type: 'LinkUser', userId: 'usr_1', linkedUserId: 'usr_2' } as const;
    const linked: UserEvent = { type: 'UserLinked', data: { userId: 'usr_1', linkedUserId: 'usr_2' } };
    given(userDecider, registered).when(link).then(linked);
    given(userDecider, registered, linked).when(link).thenNothing();
    given(userDecider).when(link).thenNothing();
  });
  it('is forgotten once, and may verify an address after that', () => {
    const forget = { type: 'ForgetUser', userId: 'usr_1' } as const;
    const forgotten: UserEvent = { type: 'UserForgotten', data: { userId: 'usr_1' } };
    given(userDecider, registered).when(forget).then(forgotten);
    given(userDecider, registered, forgotten).when(forget).thenNothing();
    given(userDecider).when(forget).thenNothing();
    given(userDecider, registered, forgotten).when(verify).then(verified);
    given(userDecider, registered, verified, forgotten)
      .when({ ...verify, email: givenAgain })
      .thenNothing();
  });
  it('has an address again that is given again after its erasure, once', () => {
    const again = { ...verify, email: givenAgain };
    const known: UserEvent = { type: 'UserEmailVerified', data: { userId: 'usr_1', email: givenAgain } };
    given(userDecider, registered, verified).when(again).then(known);
    given(userDecider, registered, verified, known).when(again).thenNothing();
  });
  it('has no address before it exists', () => given(userDecider).when(verify).thenNothing());
});

describe('A claim', () => {
  const claimed = { type: 'UserEmailClaimed', data: { ownerId: 'usr_1' } } as const;

  it('belongs to the first owner', () =>
    given(userEmailClaims).when({ type: 'Claim', ownerId: 'usr_1' }).then(claimed));
  it('keeps its owner', () => given(userEmailClaims, claimed).when({ type: 'Claim', ownerId: 'usr_2' }).thenNothing());
  it('passes to another owner when it names the current one', () =>
    given(userEmailClaims, claimed)
      .when({ type: 'Claim', ownerId: 'usr_2', replaces: 'usr_1' })
      .then({ type: 'UserEmailClaimed', data: { ownerId: 'usr_2' } }));
  it('does not pass to another owner when it names an earlier one', () =>
    given(userEmailClaims, claimed).when({ type: 'Claim', ownerId: 'usr_2', replaces: 'usr_0' }).thenNothing());
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
  const expiring: ApiKeyEvent = { type: 'ApiKeyCreated', data: { ...facts, expiresAt: '2026-02-01T10:00:00.000Z' } };
  const revoked: ApiKeyEvent = { type: 'ApiKeyRevoked', data: { keyId: 'key_1' } };
  const rotatedUntil = (endsAt: string): ApiKeyEvent => ({
    type: 'ApiKeyRotated',
    data: { keyId: 'key_1', successorId: 'key_2', endsAt },
  });
  const rotate = (overlapSeconds: number) => ({ type: 'RotateApiKey', successorId: 'key_2', overlapSeconds }) as const;

  it('is created without its plaintext', () =>
    given(apiKeyDecider)
      .when({ type: 'CreateApiKey', ...facts })
      .then(created));
  it('is created once', () =>
    given(apiKeyDecider, created)
      .when({ type: 'CreateApiKey', ...facts })
      .thenNothing());

  it('ends when the overlap with its successor does', () =>
    given(apiKeyDecider, created).when(rotate(60)).then(rotatedUntil('2026-02-01T09:01:00.000Z')));
  it('ends at once without an overlap', () =>
    given(apiKeyDecider, created).when(rotate(0)).then(rotatedUntil('2026-02-01T09:00:00.000Z')));
  it('keeps an earlier expiry after a rotation', () =>
    given(apiKeyDecider, expiring).when(rotate(604_800)).then(rotatedUntil('2026-02-01T10:00:00.000Z')));
  it('has the same successor once', () =>
    given(apiKeyDecider, created, rotatedUntil('2026-02-01T09:00:00.000Z')).when(rotate(0)).thenNothing());
  it('may have another successor during the overlap', () =>
    given(apiKeyDecider, created, rotatedUntil('2026-02-01T09:01:00.000Z'))
      .when({ ...rotate(5), successorId: 'key_3' })
      .then({
        type: 'ApiKeyRotated',
        data: { keyId: 'key_1', successorId: 'key_3', endsAt: '2026-02-01T09:00:05.000Z' },
      }));
  it.each([
    ['has expired', expiring],
    ['has been replaced', rotatedUntil('2026-02-01T09:30:00.000Z')],
    ['is revoked', revoked],
  ])('cannot be rotated when it %s', (_, end) =>
    given(apiKeyDecider, created, end)
      .when({ ...rotate(0), successorId: 'key_3' }, { now: '2026-02-01T10:00:00.000Z' })
      .thenRejects('key_ended'),
  );

  it('is revoked', () => given(apiKeyDecider, created).when({ type: 'RevokeApiKey' }).then(revoked));
  it('is revoked once', () => given(apiKeyDecider, created, revoked).when({ type: 'RevokeApiKey' }).thenNothing());
  it('cannot be rotated or revoked when it does not exist', () => {
    given(apiKeyDecider).when({ type: 'RevokeApiKey' }).thenRejects('not_found');
    given(apiKeyDecider).when(rotate(0)).thenRejects('not_found');
  });
});
