import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
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

  describe('of a paid community', () => {
    const createProduct = async () => {
      const reviewer = service.createApi(await service.signToken('rev', { reviewer: true }));
      const plan = { kind: 'subscription', amount_cents: 900, currency: 'EUR', interval: 'month' };
      const { id } = requireData(await key.post('/v1/commerce/products', { name: 'Masters', plans: [plan] }));
      await reviewer.post(`/v1/commerce/products/${id}/approve`);
      return id as string;
    };
    const createPaid = async (product_id: string) =>
      `/v1/community/communities/${(await createCommunity(key, { name: 'Masters', tier: 'paid', product_id })).id}`;
    const subscribe = async (name: string, product_id: string) => {
      const cart = requireData(await key.post('/v1/commerce/carts', { buyer: { email: emailFor(name) } }));
      await key.post(`/v1/commerce/carts/${cart.id}/lines`, { product_id });
      const order = await key.post(`/v1/commerce/carts/${cart.id}/checkout`, { payment_method: { token: 'tok_ok' } });
      return requireData(order).line_items[0].subscription.id as string;
    };
    const cancel = (subscription: string) =>
      key.post(`/v1/commerce/subscriptions/${subscription}/cancel`, { mode: 'immediately' });
    const join = async (buyer: Api, paid: string) =>
      (
        await eventually(
          () => buyer.post(`${paid}/join`),
          ({ status }) => status !== 403,
        )
      ).status;
    const expectRemoval = async (buyer: Api, paid: string) =>
      expect(
        (
          await eventually(
            () => buyer.get(`${paid}/members`),
            ({ status }) => status !== 200,
          )
        ).status,
      ).toBe(403);

    it('enter it with a live order, and leave it when the subscription ends', async () => {
      const product = await createProduct();
      const paid = await createPaid(product);
      const buyer = await signIn(service, 'bea');
      const subscription = await subscribe('bea', product);
      expect(await join(buyer, paid)).toBe(201);

      await cancel(subscription);

      await expectRemoval(buyer, paid);
      expect(toProblem(await buyer.post(`${paid}/join`))).toMatchObject({ code: 'purchase_required' });
    });

    it('leave it when the subscription to an earlier product of the community ends', async () => {
      const [earlier, current] = [await createProduct(), await createProduct()];
      const paid = await createPaid(earlier);
      const buyer = await signIn(service, 'cleo');
      const subscription = await subscribe('cleo', earlier);
      expect(await join(buyer, paid)).toBe(201);
      await key.patch(paid, { product_id: current });

      await cancel(subscription);

      await expectRemoval(buyer, paid);
    });

    it('stay as long as one product of the community, also an earlier one, entitles them', async () => {
      const [earlier, current] = [await createProduct(), await createProduct()];
      const [paid, other] = [await createPaid(earlier), await createPaid(current)];
      const buyer = await signIn(service, 'dora');
      const kept = await subscribe('dora', earlier);
      const ended = await subscribe('dora', current);
      expect([await join(buyer, paid), await join(buyer, other)]).toEqual([201, 201]);
      await key.patch(paid, { product_id: current });

      await cancel(ended);
      await expectRemoval(buyer, other);
      expect((await buyer.get(`${paid}/members`)).status).toBe(200);

      await cancel(kept);
      await expectRemoval(buyer, paid);
    });
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
    expect(await ids(member, '')).not.toContain(await userIdOf(bella));
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

    const answer = await key.post(`/v1/community/communities/${id}/transfer`, { user_id: userId });

    expect(requireData(answer)).toMatchObject({ owner: { object: 'user', id: userId }, member_count: 2 });
    const roleOf = async (user: string) =>
      requireData(await heir.get(`/v1/community/communities/${id}/members/${user}`)).role;
    expect([await roleOf(userId), await roleOf(business.ownerId)]).toEqual(['owner', 'moderator']);
    const unknown = await key.post(`/v1/community/communities/${id}/transfer`, { user_id: 'usr_0' });
    expect(toProblem(unknown)).toEqual({ status: 422, code: 'validation_failed', fields: ['user_id'] });
  });

  it('only read an archived community', async () => {
    const { id } = await createCommunity(key);
    const archive = () => key.post(`/v1/community/communities/${id}/archive`);

    expect(requireData(await archive())).toMatchObject({ status: 'archived' });
    expect((await archive()).status).toBe(200);
    expect((await key.get(`/v1/community/communities/${id}/posts`)).status).toBe(200);
    for (const answer of [
      await key.post(`/v1/community/communities/${id}/posts`, { content: 'x' }),
      await key.patch(`/v1/community/communities/${id}`, { name: 'x' }),
      await member.post(`/v1/community/communities/${id}/join`),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'community_archived' });
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
