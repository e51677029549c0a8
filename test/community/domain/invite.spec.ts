import { inviteDecider, type InviteEvent } from '../../../src/community/domain/invite.js';
import { inviteQuotaDecider, type InviteQuotaEvent } from '../../../src/community/domain/invite-quota.js';
import { given } from '../../support/given.js';
import { address, NOW } from '../facts.js';

const EXPIRES_AT = '2026-02-15T09:00:00.000Z';
const A_MINUTE_LATER = '2026-02-01T09:01:00.000Z';
const reference = { inviteId: 'invt_1', communityId: 'com_1' };
const terms = { role: 'member', level: 3, message: 'Join us', expiresAt: EXPIRES_AT, invitedBy: 'usr_1' } as const;
const newInvite = { ...reference, email: address, ...terms };
const change = { ...reference, at: NOW };
const member = {
  memberId: 'mem_2',
  communityId: 'com_1',
  userId: 'usr_2',
  email: address,
  role: 'member',
  minimumLevel: 3,
} as const;
const admission = { member, wasMember: false };

const created: InviteEvent = { type: 'InviteCreated', data: { ...newInvite, at: NOW } };
const forModerator: InviteEvent = { type: 'InviteCreated', data: { ...newInvite, role: 'moderator', at: NOW } };
const accepted: InviteEvent = { type: 'InviteAccepted', data: { ...change, ...admission } };
const declined: InviteEvent = { type: 'InviteDeclined', data: { ...change, declinedBy: 'usr_2' } };
const revoked: InviteEvent = { type: 'InviteRevoked', data: { ...change, revokedBy: 'usr_1' } };
const resent = (sending: number, at = NOW): InviteEvent => ({
  type: 'InviteResent',
  data: { ...reference, sending, resentBy: 'usr_1', at },
});

const issue = { type: 'IssueInvite', invite: newInvite, role: 'owner' } as const;
const accept = { type: 'AcceptInvite', admission } as const;
const decline = { type: 'DeclineInvite', userId: 'usr_2' } as const;
const resend = { type: 'ResendInvite', userId: 'usr_1' } as const;
const revoke = { type: 'RevokeInvite', userId: 'usr_1', role: 'owner' } as const;

describe('A new invite', () => {
  it('is created', () => given(inviteDecider).when(issue).then(created));

  it('has the role of a plain member when a moderator sends it', () => {
    const byModerator = { ...issue, role: 'moderator' } as const;
    given(inviteDecider).when(byModerator).then(created);
    given(inviteDecider)
      .when({ ...byModerator, invite: { ...newInvite, role: 'moderator' } })
      .thenRejects('permission_denied');
  });

  it.each([accept, decline, resend, revoke])('must exist for $type', (command) =>
    given(inviteDecider).when(command).thenRejects('not_found'),
  );
});

describe('A pending invite', () => {
  const renewed = (sending: number | null, at: string): InviteEvent => ({
    type: 'InviteRenewed',
    data: { ...reference, ...terms, sending, at },
  });

  it('gets new terms, without a mail within a minute of the last one', () => {
    given(inviteDecider, created).when(issue).then(renewed(null, NOW));
    given(inviteDecider, created).when(issue, { now: A_MINUTE_LATER }).then(renewed(2, A_MINUTE_LATER));
  });

  it('keeps its terms when a moderator may not change them', () =>
    given(inviteDecider, forModerator)
      .when({ ...issue, role: 'moderator' })
      .thenRejects('permission_denied'));

  it('ends without an answer when its addressee becomes a member in another way', () => {
    const ended: InviteEvent = { type: 'InviteRevoked', data: { ...change, revokedBy: null } };
    given(inviteDecider, created).when({ type: 'EndInvite' }).then(ended);
    for (const end of [accepted, declined, revoked, ended])
      given(inviteDecider, created, end).when({ type: 'EndInvite' }).thenNothing();
    given(inviteDecider, created).when({ type: 'EndInvite' }, { now: EXPIRES_AT }).thenNothing();
  });

  it('is resent after a minute, at most ten times', () => {
    given(inviteDecider, created).when(resend).thenLimits(60);
    given(inviteDecider, created).when(resend, { now: A_MINUTE_LATER }).then(resent(2, A_MINUTE_LATER));
    given(inviteDecider, created, resent(10)).when(resend, { now: A_MINUTE_LATER }).then(resent(11, A_MINUTE_LATER));
    given(inviteDecider, created, resent(11)).when(resend, { now: A_MINUTE_LATER }).thenRejects('rate_limited');
  });

  it('counts a renewal with a mail as a sending', () =>
    given(inviteDecider, created, renewed(11, NOW)).when(resend, { now: A_MINUTE_LATER }).thenRejects('rate_limited'));

  it('is accepted', () => given(inviteDecider, created).when(accept).then(accepted));

  it('is declined', () => given(inviteDecider, created).when(decline).then(declined));

  it('is revoked', () => given(inviteDecider, created).when(revoke).then(revoked));

  it('is not revoked by a moderator when it is for a moderator', () =>
    given(inviteDecider, forModerator)
      .when({ ...revoke, role: 'moderator' })
      .thenRejects('permission_denied'));
});

describe('An invite that has ended', () => {
  it.each([
    ['accepted', accepted, accept],
    ['declined', declined, decline],
    ['revoked', revoked, revoke],
  ])('is %s once', (_, ended, command) => given(inviteDecider, created, ended).when(command).thenNothing());

  it.each([
    ['accepted', accepted, [decline, resend, revoke], 'invite_already_accepted'],
    ['declined', declined, [accept, resend, revoke], 'invite_declined'],
    ['revoked', revoked, [accept, decline, resend], 'invite_revoked'],
  ])('stays %s', (_, ended, commands, code) => {
    for (const command of commands) given(inviteDecider, created, ended).when(command).thenRejects(code);
  });

  it('has expired from its time on, and can still be revoked', () => {
    const expired = { now: EXPIRES_AT };
    for (const command of [accept, decline, resend])
      given(inviteDecider, created).when(command, expired).thenRejects('invite_expired');
    given(inviteDecider, created)
      .when(revoke, expired)
      .then({ type: 'InviteRevoked', data: { ...reference, revokedBy: 'usr_1', at: EXPIRES_AT } });
  });

  it('is not renewed', () => given(inviteDecider, created, declined).when(issue).thenRejects('concurrent_update'));
});

describe('The invites of a user on a day', () => {
  const counted = (n: number) => ({ inviterId: 'usr_1', day: '2026-02-01', inviteId: `invt_${n}` });
  const fact = (n: number): InviteQuotaEvent => ({ type: 'InviteCounted', data: { ...counted(n), at: NOW } });
  const facts = (count: number) => Array.from({ length: count }, (_, n) => fact(n));

  it('are counted once each, up to a hundred', () => {
    given(inviteQuotaDecider, ...facts(99))
      .when({ type: 'CountInvite', ...counted(99) })
      .then(fact(99));
    given(inviteQuotaDecider, ...facts(100))
      .when({ type: 'CountInvite', ...counted(99) })
      .thenNothing();
    given(inviteQuotaDecider, ...facts(100))
      .when({ type: 'CountInvite', ...counted(100) })
      // NOW is nine o'clock: the rest of the day remains.
      .thenLimits(15 * 60 * 60);
  });
});

describe('An invite at its expiry', () => {
  const expire = { type: 'ExpireInvite', dueAt: NOW } as const;
  const expired: InviteEvent = { type: 'InviteExpired', data: { ...reference, at: EXPIRES_AT } };

  it('expires once', () => {
    given(inviteDecider, created).when(expire, { now: NOW }).thenNothing();
    given(inviteDecider, created).when(expire, { now: EXPIRES_AT }).then(expired);
    given(inviteDecider, created)
      .when({ ...expire, dueAt: EXPIRES_AT }, { now: NOW })
      .then(expired);
    given(inviteDecider, created, expired).when(expire, { now: EXPIRES_AT }).thenNothing();
  });

  it.each([['accepted', accepted] as const, ['declined', declined] as const, ['revoked', revoked] as const])(
    'does not expire after it was %s',
    (_, answer) => given(inviteDecider, created, answer).when(expire, { now: EXPIRES_AT }).thenNothing(),
  );

  it('can then only be revoked', () => {
    const now = { now: EXPIRES_AT };
    for (const command of [accept, decline, resend])
      given(inviteDecider, created, expired).when(command, now).thenRejects('invite_expired');
    given(inviteDecider, created, expired)
      .when(revoke, now)
      .then({ type: 'InviteRevoked', data: { ...reference, at: EXPIRES_AT, revokedBy: 'usr_1' } });
    given(inviteDecider, created, expired).when({ type: 'EndInvite' }, now).thenNothing();
  });
});
