import { type Api, requireData } from '../../support/api.js';
import type { Service, TestBusiness } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, joinAs, signIn, toProblem } from '../community-users.js';

describe('The members of a community', () => {
  let service: Service;
  let business: TestBusiness;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let path: string;
  beforeAll(async () => {
    ({ service, business, key, moderator, member, community, path } = await startCommunity());
  });
  afterAll(() => service.stop());

  const userIdOf = async (api: Api) => (await api.get('/v1/auth/me')).body.data.user.id as string;
  const memberPath = async (api: Api) => `${path}/members/${await userIdOf(api)}`;

  it('join an open community once, leave it and return', async () => {
    const joiner = await signIn(service, 'jo');
    const joined = await joiner.post(`${path}/join`);

    expect(joined.status).toBe(201);
    expect(joined.body.data).toEqual({
      id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
      object: 'community_member',
      community: { object: 'community', id: community },
      user: { object: 'user', id: await userIdOf(joiner), email: emailFor('jo'), name: null },
      role: 'member',
      level: 1,
      points: 0,
      status: 'active',
      expert_badge: null,
      joined_at: expect.any(String),
    });
    const again = await joiner.post(`${path}/join`);
    expect([again.status, again.body.data]).toEqual([200, joined.body.data]);
    const count = requireData(await joiner.get(path)).member_count as number;

    expect(requireData(await joiner.post(`${path}/leave`))).toMatchObject({ status: 'removed' });
    expect(toProblem(await joiner.post(`${path}/leave`))).toMatchObject({ status: 403, code: 'not_a_member' });
    expect(requireData(await joiner.get(path)).member_count).toBe(count - 1);
    expect((await joiner.post(`${path}/join`)).body.data).toMatchObject({ id: joined.body.data.id, status: 'active' });
  });

  it('join once when their requests arrive at the same time', async () => {
    const joiner = await signIn(service, 'kim');

    const answers = await Promise.all(Array.from({ length: 8 }, () => joiner.post(`${path}/join`)));

    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 7 }, () => 200), 201]);
    expect((await moderator.get(`${path}/members?email=${emailFor('kim')}`)).body.pagination.total_count).toBe(1);
  });

  it('need an invite or a purchase where the community says so', async () => {
    const joiner = await signIn(service, 'ike');
    const byInvite = (await createCommunity(key)).id;
    await key.patch(`/v1/community/communities/${byInvite}`, { join_policy: 'invite' });
    const unlinked = (await createCommunity(key, { name: 'Masters', tier: 'paid' })).id;
    const product = requireData(await key.post('/v1/commerce/products', { name: 'A course' })).id;
    const paid = (await createCommunity(key, { name: 'Masters', tier: 'paid', product_id: product })).id;

    for (const [id, code] of [
      [byInvite, 'invite_required'],
      [unlinked, 'invite_required'],
      [paid, 'purchase_required'],
    ])
      expect(toProblem(await joiner.post(`/v1/community/communities/${id}/join`))).toMatchObject({ status: 403, code });
  });

  it('are listed by role, status and address for moderators', async () => {
    const bella = await joinAs(service, community, 'bella', 'member');
    await key.patch(await memberPath(bella), { status: 'banned' });
    const ids = async (api: Api, query: string) =>
      (await api.get(`${path}/members?per_page=100${query}`)).body.data.map(
        ({ user }: { user: { id: string } }) => user.id,
      );

    expect(await ids(moderator, '&role=moderator')).toEqual([await userIdOf(moderator)]);
    expect(await ids(moderator, '&status=banned')).toEqual([await userIdOf(bella)]);
    expect(await ids(moderator, `&email=${emailFor('mary')}`)).toEqual([await userIdOf(member)]);
    for (const api of [member, moderator]) expect(await ids(api, '')).not.toContain(await userIdOf(bella));
    expect(await ids(moderator, `&email=${emailFor('bella')}`)).toEqual([]);
    expect(await ids(moderator, `&email=${emailFor('bella')}&status=banned`)).toHaveLength(1);
    await key.post(`${path}/members/import`, { members: [{ email: 'unknown@example.com' }] });
    const [pending] = await ids(moderator, '&status=pending');
    for (const query of ['', '&email=unknown@example.com']) expect(await ids(key, query)).not.toContain(pending);
    for (const query of ['?status=banned', `?email=${emailFor('mary')}`])
      expect(toProblem(await member.get(`${path}/members${query}`))).toMatchObject({ code: 'permission_denied' });
    expect((await moderator.get(`${path}/members?status=gone`)).status).toBe(400);
  });

  it('show their address to moderators and to themselves only', async () => {
    const other = await joinAs(service, community, 'otto', 'member');
    const seen = async (api: Api) => requireData(await api.get(await memberPath(other))).user.email;

    expect([await seen(moderator), await seen(other), await seen(member)]).toEqual([
      emailFor('otto'),
      emailFor('otto'),
      null,
    ]);
  });

  it('are changed and banned by the owner', async () => {
    const target = await joinAs(service, community, 'tim', 'member');
    const targetPath = await memberPath(target);

    expect(requireData(await key.patch(targetPath, { role: 'moderator', level: 4 }))).toMatchObject({
      role: 'moderator',
      level: 4,
    });
    expect(requireData(await key.patch(targetPath, { status: 'banned' }))).toMatchObject({ status: 'banned' });
    expect(toProblem(await target.post(`${path}/join`))).toMatchObject({ status: 403, code: 'banned' });
    expect((await target.get(`${path}/posts`)).status).toBe(403);
    expect(requireData(await key.patch(targetPath, { status: 'active' }))).toMatchObject({ status: 'active' });
    expect((await target.get(`${path}/posts`)).status).toBe(200);
    expect(toProblem(await moderator.patch(targetPath, { level: 2 }))).toMatchObject({ code: 'permission_denied' });
  });

  describe('who are gone or banned', () => {
    const leave = (target: Api) => target.post(`${path}/leave`);
    const remove = async (target: Api) => key.delete(await memberPath(target));
    const ban = async (target: Api) => key.patch(await memberPath(target), { status: 'banned' });

    it.each([
      ['left', leave, { role: 'moderator' }],
      ['left and return', leave, { status: 'active' }],
      ['left and return with a level', leave, { status: 'active', level: 4 }],
      ['removed', remove, { level: 4 }],
      ['removed and return', remove, { status: 'active' }],
      ['banned', ban, { role: 'moderator', level: 4 }],
    ])('are not found by a change, and stay as they are: %s', async (name, end, body) => {
      const target = await joinAs(service, community, `gone-${name.replaceAll(' ', '-')}`, 'member');
      const targetPath = await memberPath(target);
      requireData(await end(target));
      const before = requireData(await key.get(targetPath));

      expect(toProblem(await key.patch(targetPath, body))).toMatchObject({ status: 404, code: 'not_found' });
      expect(requireData(await key.get(targetPath))).toEqual(before);
    });

    it('may be banned after they left, and get a role as the ban ends', async () => {
      const target = await joinAs(service, community, 'gail', 'member');
      requireData(await leave(target));
      expect(requireData(await ban(target))).toMatchObject({ status: 'banned' });
      const unban = { status: 'active', role: 'moderator' };
      expect(requireData(await key.patch(await memberPath(target), unban))).toMatchObject(unban);
    });

    it('do not get a role together with the ban', async () => {
      const targetPath = await memberPath(await joinAs(service, community, 'rolf', 'member'));
      const answer = await key.patch(targetPath, { status: 'banned', level: 3 });
      expect(toProblem(answer)).toEqual({ status: 422, code: 'validation_failed', fields: ['level'] });
      expect(requireData(await key.get(targetPath))).toMatchObject({ status: 'active', level: 1 });
    });
  });

  it('are removed by moderators, who cannot remove each other', async () => {
    const [plain, other] = [
      await joinAs(service, community, 'pia', 'member'),
      await joinAs(service, community, 'mia', 'moderator'),
    ];

    const removed = requireData(await moderator.delete(await memberPath(plain)));

    expect(removed).toMatchObject({ status: 'removed' });
    expect(requireData(await moderator.delete(await memberPath(plain)))).toEqual(removed);
    expect((await member.get(`${path}/members/${removed.user.id}`)).status).toBe(404);
    expect(toProblem(await moderator.delete(await memberPath(other)))).toMatchObject({ code: 'permission_denied' });
    expect((await key.delete(await memberPath(other))).status).toBe(200);
  });

  it('have an owner who is protected', async () => {
    const owner = `${path}/members/${business.ownerId}`;

    for (const answer of [await key.patch(owner, { role: 'member' }), await key.delete(owner)])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'owner_protected' });
    expect(toProblem(await key.post(`${path}/leave`))).toMatchObject({ status: 422, code: 'last_owner' });
    expect((await key.patch(`${path}/members/usr_0`, {})).status).toBe(404);
  });

  it('keep their first expert badge', async () => {
    const badge = `${await memberPath(member)}/expert-badge`;

    const first = requireData(await moderator.put(badge));

    expect(first.expert_badge).toEqual({
      assigned_at: expect.any(String),
      assigned_by: { object: 'user', id: await userIdOf(moderator) },
    });
    expect(requireData(await key.put(badge))).toEqual(first);
    expect(requireData(await moderator.delete(badge)).expert_badge).toBeNull();
    expect(toProblem(await moderator.put(`${await memberPath(moderator)}/expert-badge`))).toMatchObject({
      status: 403,
    });
    expect((await moderator.put(`${path}/members/usr_0/expert-badge`)).status).toBe(404);
  });

  it('receive the community by a transfer', async () => {
    const { id } = await createCommunity(key);
    const heir = await joinAs(service, id, 'hera', 'member');
    const userId = await userIdOf(heir);

    const unknown = await key.post(`/v1/community/communities/${id}/transfer`, { user_id: 'usr_0' });
    expect(toProblem(unknown)).toEqual({ status: 422, code: 'validation_failed', fields: ['user_id'] });

    const answer = await key.post(`/v1/community/communities/${id}/transfer`, { user_id: userId });

    const owned = { owner: { object: 'user', id: userId }, business: null, member_count: 2 };
    expect(requireData(answer)).toMatchObject(owned);
    expect(requireData(await heir.get(`/v1/community/communities/${id}`))).toMatchObject(owned);
    const roleOf = async (user: string) =>
      requireData(await heir.get(`/v1/community/communities/${id}/members/${user}`)).role;
    expect([await roleOf(userId), await roleOf(business.ownerId)]).toEqual(['owner', 'moderator']);
  });

  it('keep a community that was transferred to them from its earlier business and owner', async () => {
    const { id } = await createCommunity(key);
    const path = `/v1/community/communities/${id}`;
    const heir = await joinAs(service, id, 'hilda', 'member');
    await key.post(`${path}/transfer`, { user_id: await userIdOf(heir) });
    const naming = { 'x-service-business-id': business.id };
    const former = service.createApi(await service.signToken(business.ownerSubject));

    for (const answer of [
      await key.post(`${path}/transfer`, { user_id: business.ownerId }),
      await former.post(`${path}/transfer`, { user_id: business.ownerId }, naming),
      await key.patch(`${path}/members/${await userIdOf(heir)}`, { role: 'member' }),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 403, code: 'permission_denied' });
    const listed = (await key.get('/v1/community/communities?per_page=100')).body.data as { id: string }[];
    expect(listed.map((one) => one.id)).not.toContain(id);
    expect((await key.post(`${path}/posts`, { content: 'Clay' })).status).toBe(201);
  });

  it('stay in the community of the business when its owner remains the owner', async () => {
    const { id } = await createCommunity(key);
    const path = `/v1/community/communities/${id}`;

    const same = await key.post(`${path}/transfer`, { user_id: business.ownerId });

    expect(requireData(same)).toMatchObject({ business: { id: business.id }, owner: { id: business.ownerId } });
  });

  it('have the levels that the community sets', async () => {
    const { id } = await createCommunity(key);
    const edit = (body: object) => key.patch(`/v1/community/communities/${id}`, body);
    const levels = [
      { level: 1, points: 0 },
      { level: 10, points: 5 },
    ];
    const reader = await joinAs(service, id, 'lea', 'member');
    await key.post(`/v1/community/communities/${id}/points`, { points: 5, target_email: emailFor('lea') });

    expect(requireData(await edit({ levels, description: 'Clay' }))).toMatchObject({ levels, description: 'Clay' });

    expect(
      requireData(await key.get(`/v1/community/communities/${id}/members/${await userIdOf(reader)}`)),
    ).toMatchObject({
      level: 10,
      points: 5,
    });
    for (const wrong of [[{ level: 1, points: 1 }], [...levels].reverse(), [levels[0], levels[0]]])
      expect(toProblem(await edit({ levels: wrong }))).toMatchObject({ status: 422, code: 'levels_not_rising' });
    expect(toProblem(await edit({ tier: 'paid' }))).toMatchObject({ code: 'product_required' });
    expect(toProblem(await edit({ tier: 'paid', product_id: 'prod_0' }))).toMatchObject({ fields: ['product_id'] });
  });
});
