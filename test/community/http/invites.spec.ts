import { inviteQuotaDecider, inviteQuotaIdOf } from '../../../src/community/domain/invite-quota.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { Service, TestBusiness } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, joinAs, signIn, toProblem } from '../community-users.js';
import { recordInvite } from '../recorded-invite.js';

const DAYS_14_MS = 14 * 86_400_000;

describe('An invite', () => {
  let service: Service;
  let business: TestBusiness;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let path: string;
  beforeAll(async () => {
    ({ service, business, key, moderator, member, community, path } = await startCommunity());
    await key.patch(path, { join_policy: 'invite' });
  });
  afterAll(() => service.stop());

  const userIdOf = async (api: Api) => (await api.get('/v1/auth/me')).body.data.user.id as string;
  const invite = async (name: string, body: object = {}, api = key) =>
    requireData(await api.post(`${path}/invites`, { email: emailFor(name), ...body }));
  const pathOf = ({ id }: { id: string }) => `/v1/community/invites/${id}`;
  const memberOf = async (api: Api) => (await key.get(`${path}/members/${await userIdOf(api)}`)).body.data;

  it('is created for an address, and renewed while it is pending', async () => {
    const body = { email: ' Ada@Example.com ', role: 'moderator', level: 4, message: 'Join us' };

    const answer = await key.post(`${path}/invites`, body);

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^invt_[0-9a-z]{26}$/),
      object: 'invite',
      community: { object: 'community', id: community },
      email: 'ada@example.com',
      role: 'moderator',
      level: 4,
      message: 'Join us',
      status: 'pending',
      invited_by: { object: 'user', id: business.ownerId },
      expires_at: expect.any(String),
      created_at: expect.any(String),
      responded_at: null,
    });
    const { expires_at, created_at } = answer.body.data;
    expect(Math.abs(Date.parse(expires_at) - Date.parse(created_at) - DAYS_14_MS)).toBeLessThan(5_000);

    const again = await key.post(`${path}/invites`, {
      email: emailFor('ada'),
      expires_at: '2100-01-01T00:00:00+01:00',
    });
    const terms = { role: 'member', level: 1, message: null, expires_at: '2099-12-31T23:00:00.000Z' };
    expect([again.status, again.body.data]).toEqual([200, { ...answer.body.data, ...terms }]);
    expect(requireData(await moderator.get(pathOf(again.body.data)))).toEqual(again.body.data);
  });

  it('is one per address when two are created at the same time', async () => {
    const created = await Promise.all([1, 2, 3].map((level) => invite('ben', { level })));

    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
  });

  it('is listed, newest first', async () => {
    const created = await invite('cleo');

    const { data, pagination } = (await key.get(`${path}/invites?per_page=1`)).body;

    expect(data).toEqual([created]);
    expect(pagination).toMatchObject({ per_page: 1, total_count: pagination.total_pages });
  });

  it('makes the invitee a member with its role and level', async () => {
    const dora = await signIn(service, 'dora');
    const created = await invite('dora', { role: 'moderator', level: 5 });
    expect(requireData(await dora.get(pathOf(created)))).toEqual(created);

    const accepted = requireData(await dora.post(`${pathOf(created)}/accept`));

    expect(accepted).toEqual({ ...created, status: 'accepted', responded_at: expect.any(String) });
    expect(await memberOf(dora)).toMatchObject({ role: 'moderator', level: 5, status: 'active', points: 0 });
    expect(requireData(await dora.post(`${pathOf(created)}/accept`))).toEqual(accepted);
    for (const answer of [
      await dora.post(`${pathOf(created)}/decline`),
      await key.delete(pathOf(created)),
      await key.post(`${pathOf(created)}/resend`),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'invite_already_accepted' });
  });

  it('brings a member back who had left', async () => {
    const eve = await joinAs(service, community, 'eve', 'moderator');
    await eve.post(`${path}/leave`);
    const created = await invite('eve', { role: 'moderator', level: 2 });

    await eve.post(`${pathOf(created)}/accept`);

    expect(await memberOf(eve)).toMatchObject({ role: 'moderator', level: 2, status: 'active' });
    await eve.post(`${path}/leave`);
    expect((await eve.post(`${pathOf(created)}/accept`)).status).toBe(200);
    expect(await memberOf(eve)).toMatchObject({ status: 'removed' });
  });

  it('publishes its answer', async () => {
    const [ruth, ron] = [await signIn(service, 'ruth'), await signIn(service, 'ron')];
    const [first, second] = [await invite('ruth'), await invite('ron')];
    const accepted = requireData(await ruth.post(`${pathOf(first)}/accept`));
    const declined = requireData(await ron.post(`${pathOf(second)}/decline`));

    for (const answered of [accepted, declined]) {
      const list = async () => requireData(await key.get(`/v1/webhooks/events?resource=${answered.id}`));
      const events = await eventually(list, ({ length }) => length > 1);
      expect(events).toMatchObject([
        { type: `community.invite.${answered.status}`, data: answered },
        { type: 'community.invite.created' },
      ]);
    }
  });

  it('opens a paid community', async () => {
    const paid = (await createCommunity(key, { name: 'Masters', tier: 'paid' })).id;
    const invitee = await signIn(service, 'finn');
    const body = { email: emailFor('finn') };
    const created = requireData(await key.post(`/v1/community/communities/${paid}/invites`, body));

    expect((await invitee.post(`${pathOf(created)}/accept`)).status).toBe(200);
    expect((await invitee.get(`/v1/community/communities/${paid}/posts`)).status).toBe(200);
  });

  it('is declined by the invitee or by a key, and then the address can be invited again', async () => {
    const gus = await signIn(service, 'gus');
    const created = await invite('gus');

    const declined = requireData(await gus.post(`${pathOf(created)}/decline`));

    expect(declined).toEqual({ ...created, status: 'declined', responded_at: expect.any(String) });
    expect(requireData(await key.post(`${pathOf(created)}/decline`))).toEqual(declined);
    for (const answer of [
      await gus.post(`${pathOf(created)}/accept`),
      await key.post(`${pathOf(created)}/resend`),
      await key.delete(pathOf(created)),
    ])
      expect(toProblem(answer)).toMatchObject({ code: 'invite_declined' });
    const later = await invite('gus');
    expect(later.id).not.toBe(created.id);
    expect(requireData(await key.post(`${pathOf(later)}/decline`))).toMatchObject({ status: 'declined' });
  });

  it('can be revoked', async () => {
    const hal = await signIn(service, 'hal');
    const created = await invite('hal');

    const revoked = requireData(await moderator.delete(pathOf(created)));

    expect(revoked).toEqual({ ...created, status: 'revoked' });
    expect(requireData(await key.delete(pathOf(created)))).toEqual(revoked);
    for (const use of ['accept', 'decline'])
      expect(toProblem(await hal.post(`${pathOf(created)}/${use}`))).toMatchObject({ code: 'invite_revoked' });
    expect(toProblem(await key.post(`${pathOf(created)}/resend`))).toMatchObject({ code: 'invite_revoked' });
    expect((await invite('hal')).id).not.toBe(created.id);
  });

  it('expires', async () => {
    const ida = await signIn(service, 'ida');
    const created = await invite('ida', { expires_at: new Date(Date.now() + 200).toISOString() });

    const read = () => ida.get(pathOf(created));
    await eventually(read, ({ body }) => body.data.status === 'expired');

    for (const answer of [
      await ida.post(`${pathOf(created)}/accept`),
      await ida.post(`${pathOf(created)}/decline`),
      await key.post(`${pathOf(created)}/resend`),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'invite_expired' });
    const listed = (await key.get(`${path}/invites?per_page=100`)).body.data;
    expect(listed.find(({ id }: { id: string }) => id === created.id).status).toBe('expired');
    expect((await invite('ida')).id).not.toBe(created.id);
  });

  it('is resent after a minute', async () => {
    const old = await recordInvite(service, community, 'jan');

    expect(requireData(await moderator.post(`${pathOf({ id: old })}/resend`))).toMatchObject({ status: 'pending' });
    const tooSoon = await key.post(`${pathOf({ id: old })}/resend`);
    expect(toProblem(tooSoon)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(tooSoon.headers.get('retry-after')).not.toBeNull();
  });

  it('is sent by moderators to plain members only', async () => {
    const forModerator = await invite('kim', { role: 'moderator' });

    expect(await invite('lia', {}, moderator)).toMatchObject({ role: 'member' });
    for (const answer of [
      await moderator.post(`${path}/invites`, { email: emailFor('lou'), role: 'moderator' }),
      await moderator.post(`${path}/invites`, { email: emailFor('kim') }),
      await moderator.delete(pathOf(forModerator)),
      await member.post(`${path}/invites`, { email: emailFor('lou') }),
      await member.get(`${path}/invites`),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 403, code: 'permission_denied' });
  });

  it('is accepted only with the own session', async () => {
    const created = await invite('nia');
    const olga = await signIn(service, 'olga');

    for (const use of ['accept', 'decline']) expect((await olga.post(`${pathOf(created)}/${use}`)).status).toBe(404);
    expect((await olga.get(pathOf(created))).status).toBe(404);
    expect(toProblem(await key.post(`${pathOf(created)}/accept`))).toMatchObject({ code: 'permission_denied' });
    expect((await olga.post('/v1/community/invites/invt_0/accept')).status).toBe(404);
  });

  it('is refused for the address of a banned user', async () => {
    const pat = await joinAs(service, community, 'pat', 'member');
    await key.patch(`${path}/members/${await userIdOf(pat)}`, { status: 'banned' });

    const refused = await key.post(`${path}/invites`, { email: emailFor('pat') });

    expect(refused.body).toMatchObject({
      status: 422,
      code: 'banned',
      errors: [{ code: 'banned', detail: expect.any(String), field: 'email' }],
    });
    expect(refused.status).toBe(422);
  });

  it('cannot be used in an archived community', async () => {
    const { id } = await createCommunity(key);
    const invites = `/v1/community/communities/${id}/invites`;
    const quin = await signIn(service, 'quin');
    const created = requireData(await key.post(invites, { email: emailFor('quin') }));
    await key.post(`/v1/community/communities/${id}/archive`);

    for (const answer of [
      await key.post(invites, { email: emailFor('rob') }),
      await quin.post(`${pathOf(created)}/accept`),
      await quin.post(`${pathOf(created)}/decline`),
      await key.post(`${pathOf(created)}/resend`),
      await key.delete(pathOf(created)),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'community_archived' });
    expect(requireData(await quin.get(pathOf(created)))).toEqual(created);
  });

  it.each([
    ['no address', {}, 'validation_failed', ['email']],
    ['a malformed address', { email: 'nope' }, 'validation_failed', ['email']],
    ['the address of a member', { email: 'MARY@example.com' }, 'already_member', ['email']],
    ['the role of the owner', { email: 'x@example.com', role: 'owner' }, 'validation_failed', ['role']],
    ['level 0', { email: 'x@example.com', level: 0 }, 'validation_failed', ['level']],
    ['level 101', { email: 'x@example.com', level: 101 }, 'validation_failed', ['level']],
    ['a long message', { email: 'x@example.com', message: 'x'.repeat(1001) }, 'validation_failed', ['message']],
    [
      'an end in the past',
      { email: 'x@example.com', expires_at: '2026-01-01T00:00:00Z' },
      'validation_failed',
      ['expires_at'],
    ],
    ['an unknown field', { email: 'x@example.com', name: 'Xavier' }, 'unknown_parameter', ['name']],
  ])('is refused with %s', async (_, body, code, fields) =>
    expect(toProblem(await key.post(`${path}/invites`, body))).toEqual({ status: 422, code, fields }),
  );

  it('is refused after a hundred new ones of the user on the day', async () => {
    const inviter = await joinAs(service, community, 'sam', 'moderator');
    const [inviterId, now] = [await userIdOf(inviter), Date.now()];
    const pending = await invite('tess', {}, inviter);
    for (const at of [now, now + 60_000]) {
      const day = new Date(at).toISOString().slice(0, 10);
      for (let n = 0; n < 100; n++)
        await service
          .get(Streams)
          .execute(
            inviteQuotaDecider,
            inviteQuotaIdOf(inviterId, day),
            { type: 'CountInvite', inviterId, day, inviteId: `invt_${n}` },
            createSystemContext(at),
          )
          .catch(() => undefined);
    }

    const answer = await inviter.post(`${path}/invites`, { email: emailFor('uma') });

    expect(toProblem(answer)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect((await invite('tess', {}, inviter)).id).toBe(pending.id);
  });
});
