import { EventStore } from '../../../src/kernel/event-store.js';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { populateCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, joinAs, signIn, toProblem } from '../community-users.js';

const lesson = { source_type: 'course', source_id: 'lesson-7' };

describe('An award of points', () => {
  let service: Service;
  let business: TestBusiness;
  let key: Api;
  let moderator: Api;
  let community: string;
  beforeAll(async () => {
    service = await startService();
    business = await service.createBusiness();
    key = service.createApi(await service.createKey(business));
  });
  beforeEach(async () => {
    ({ community, moderator } = await populateCommunity(service, key));
  });
  afterAll(() => service.stop());

  const award = (api: Api, body: object): Promise<ApiResponse> =>
    api.post(`/v1/community/communities/${community}/points`, { target_email: emailFor('mary'), ...body });

  it('returns the resulting balance and level', async () => {
    await award(key, { points: 20, source_type: 'course', source_id: 'lesson-6' });

    const answer = await award(moderator, { points: 50, ...lesson, target_email: ' MARY@Example.com ' });

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^pta_[0-9a-z]{26}$/),
      object: 'points_award',
      community: { object: 'community', id: community },
      user: { object: 'user', id: expect.stringMatching(/^usr_/), email: 'mary@example.com' },
      points: 50,
      ...lesson,
      balance: 70,
      level: 4,
      leveled_up: true,
      duplicate: false,
      created_at: expect.any(String),
    });
  });

  it('is made once per source: a repetition returns the first award, and different points are refused', async () => {
    const first = requireData(await award(key, { points: 50, ...lesson }));
    await award(key, { points: 5 });

    const again = await award(moderator, { points: 50, ...lesson });

    expect(again.status).toBe(200);
    expect(again.body.data).toEqual({ ...first, duplicate: true });
    expect(toProblem(await award(key, { points: 51, ...lesson }))).toEqual({
      status: 409,
      code: 'points_already_awarded',
      fields: ['points'],
    });
    expect(requireData(await award(key, { points: 1 }))).toMatchObject({ balance: 56 });
  });

  it('is made once per source for eight requests at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => award(key, { points: 50, ...lesson })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(requireData(await award(key, { points: 1 }))).toMatchObject({ balance: 51 });
  });

  it('is made to every member for the same source', async () => {
    await award(key, { points: 50, ...lesson });

    expect((await award(key, { points: 7, ...lesson, target_email: emailFor('mo') })).status).toBe(201);
  });

  it('is manual and repeatable without a source', async () => {
    const answers = [await award(key, { points: 5 }), await award(key, { points: 5 })];

    expect(
      answers.map(({ status, body }) => [status, body.data.source_type, body.data.source_id, body.data.balance]),
    ).toEqual([
      [201, 'manual', null, 5],
      [201, 'manual', null, 10],
    ]);
  });

  it('finds the owner by the address that a later sign-in has verified', async () => {
    await signIn(service, business.ownerSubject).then((api) => api.get('/v1/auth/me'));

    const answer = await award(key, { points: 5, target_email: emailFor(business.ownerSubject) });

    expect(requireData(answer).user).toEqual({
      object: 'user',
      id: business.ownerId,
      email: emailFor(business.ownerSubject),
    });
  });

  describe('to a member who has not signed in yet', () => {
    const members = () => `/v1/community/communities/${community}/members`;

    /** Imports the address, and awards points to it. */
    async function importWithPoints(name: string, points: number): Promise<string> {
      const rows = { members: [{ email: emailFor(name) }] };
      const { user_id } = requireData(await key.post(`${members()}/import`, rows)).results[0];
      const answer = await award(key, { points, target_email: emailFor(name), ...lesson });
      expect([answer.status, answer.body.data.balance]).toEqual([201, points]);
      return `${members()}/${user_id}`;
    }
    const readActive = (path: string) =>
      eventually(
        async () => requireData(await key.get(path)),
        ({ status }) => status === 'active',
      );
    const signInAs = async (subject: string, name: string) => {
      const api = service.createApi(await service.signToken(subject, { email: emailFor(name) }));
      return Object.assign(api, { userId: requireData(await api.get('/v1/auth/me')).user.id as string });
    };
    const readLeaders = async () =>
      requireData(await key.get(`/v1/community/communities/${community}/leaderboard`)) as readonly object[];

    it('is there when the user joins', async () => {
      const path = await importWithPoints('pia', 70);
      expect(await readLeaders()).toEqual([]);

      await (await signIn(service, 'pia')).get('/v1/auth/me');

      expect(await readActive(path)).toMatchObject({ points: 70, level: 4 });
      const leaders = await eventually(readLeaders, ({ length }) => length > 0);
      expect(leaders).toMatchObject([{ points: 70 }]);
      const again = await award(key, { points: 70, target_email: emailFor('pia'), ...lesson });
      expect([again.status, again.body.data.duplicate]).toEqual([200, true]);
    });

    it('is paid once to the member as whom the user has joined before', async () => {
      const before = service.createApi(await service.signToken('quinn'));
      const joined = requireData(await before.post(`/v1/community/communities/${community}/join`));
      await importWithPoints('quinn', 70);

      await (await signIn(service, 'quinn')).get('/v1/auth/me');

      const path = `${members()}/${joined.user.id}`;
      const member = await eventually(
        async () => requireData(await key.get(path)),
        ({ points }) => points > 0,
      );
      expect(member).toMatchObject({ id: joined.id, points: 70 });
      const leaders = await eventually(readLeaders, ({ length }) => length > 0);
      expect(leaders).toMatchObject([{ points: 70 }]);
    });

    it('is reversed, and not paid again, as an award of the member as whom the user has joined before', async () => {
      const before = service.createApi(await service.signToken('saul'));
      const joined = requireData(await before.post(`/v1/community/communities/${community}/join`));
      const to = emailFor('saul');
      await importWithPoints('saul', 70);
      const manual = requireData(await award(key, { points: 5, target_email: to }));
      const kept = requireData(await award(key, { points: 3, target_email: to }));
      const taken = requireData(await award(key, { points: 9, target_email: to }));
      const reverse = async ({ id }: { id: string }) =>
        requireData(await key.post(`/v1/community/communities/${community}/points/${id}/reversal`, { reason: 'x' }));
      await reverse(taken);
      await (await signIn(service, 'saul')).get('/v1/auth/me');
      const readPoints = async () => requireData(await key.get(`${members()}/${joined.user.id}`)).points as number;
      await eventually(readPoints, (points) => points === 78);

      const again = await award(key, { points: 70, target_email: to, ...lesson });
      expect([again.status, again.body.data.duplicate]).toEqual([200, true]);
      expect(await reverse(manual)).toMatchObject({ points: -5, balance: 73, user: { id: joined.user.id } });
      expect(await reverse(manual)).toMatchObject({ points: -5, duplicate: true });

      expect(await readPoints()).toBe(73);
      expect(await reverse(kept)).toMatchObject({ points: -3, balance: 70 });
    });

    it('is nothing for the next person with the address', async () => {
      const before = await signInAs('theo-1', 'theo-home');
      await before.post(`/v1/community/communities/${community}/join`);
      const first = await importWithPoints('theo', 70);
      await signInAs('theo-1', 'theo');
      await eventually(
        async () => requireData(await key.get(first)).status as string,
        (status) => status === 'removed',
      );
      await signInAs('theo-1', 'theo-home');

      const rows = { members: [{ email: emailFor('theo') }] };
      const [again] = requireData(await key.post(`${members()}/import`, rows)).results;
      const next = await signInAs('theo-2', 'theo');

      expect([again.status, next.userId]).toEqual(['created', again.user_id]);
      expect(await readActive(`${members()}/${next.userId}`)).toMatchObject({ points: 0 });
    });

    it('is in the ledger of a user who was known before by another address', async () => {
      const known = await signInAs('rita', 'rita-old');
      await importWithPoints('rita', 70);

      const rita = await signInAs('rita', 'rita');
      await eventually(
        () => key.get(`${members()}/${known.userId}`),
        ({ body }) => body.data?.status === 'active',
      );

      const ledger = `/v1/community/communities/${community}/points`;
      for (const [api, path] of [
        [key, `${ledger}?target_email=${emailFor('rita')}`],
        [rita, ledger],
      ] as const)
        expect(
          await eventually(
            async () => requireData(await api.get(path)),
            ([entry]) => entry?.user.id === known.userId,
          ),
        ).toMatchObject([{ points: 70, user: { id: known.userId, email: emailFor('rita') } }]);
    });

    it('is refused after the removal', async () => {
      const path = await importWithPoints('rob', 5);
      await key.delete(path);

      expect(toProblem(await award(key, { points: 5, target_email: emailFor('rob') }))).toMatchObject({
        code: 'member_not_found',
      });
    });
  });

  it('is refused for a user who is not a member', async () => {
    await signIn(service, 'olga').then((api) => api.get('/v1/auth/me'));

    for (const target_email of [emailFor('olga'), 'nobody@example.com'])
      expect(toProblem(await award(key, { points: 5, target_email }))).toEqual({
        status: 422,
        code: 'member_not_found',
        fields: ['target_email'],
      });
  });

  it('is made only by the owner and by moderators, not by a moderator to self', async () => {
    const ada = await signIn(service, 'ada');
    community = (await createCommunity(ada)).id;
    const member = await joinAs(service, community, 'mary', 'member');
    moderator = await joinAs(service, community, 'mo', 'moderator');

    expect((await award(ada, { points: 5, target_email: emailFor('ada') })).status).toBe(201);
    expect(toProblem(await award(moderator, { points: 5, target_email: emailFor('mo') }))).toMatchObject({
      status: 422,
      code: 'self_award',
    });
    expect(toProblem(await award(member, { points: 5 }))).toMatchObject({ status: 403, code: 'permission_denied' });
    for (const outsider of [await signIn(service, 'olga'), key])
      expect(toProblem(await award(outsider, { points: 5 }))).toMatchObject({ status: 403, code: 'not_a_member' });
  });

  it.each([
    ['no address', { points: 5, target_email: undefined }, ['target_email']],
    ['an invalid address', { points: 5, target_email: 'nope' }, ['target_email']],
    ['missing points', { points: undefined }, ['points']],
    ['zero points', { points: 0 }, ['points']],
    ['half a point', { points: 0.5 }, ['points']],
    ['too many points', { points: 1_000_001 }, ['points']],
    ['points as a string', { points: '5' }, ['points']],
    ['a source without an id', { points: 5, source_type: 'course' }, ['source_id']],
    ['a source without a type', { points: 5, source_id: 'lesson-7' }, ['source_type']],
    ['a source type with spaces', { points: 5, ...lesson, source_type: 'a course' }, ['source_type']],
    ['a source id of 256 characters', { points: 5, ...lesson, source_id: 'x'.repeat(256) }, ['source_id']],
  ])('is refused with %s', async (_, body, fields) =>
    expect(toProblem(await award(key, body))).toEqual({ status: 422, code: 'validation_failed', fields }),
  );

  it('stores no address in the event log', async () => {
    await award(key, { points: 5 });

    const { events } = await service.get(EventStore).readAll({ limit: 1_000 });
    expect(events.map(({ type }) => type)).toContain('PointsAwarded');
    expect(JSON.stringify(events)).not.toContain('@example.com');
  });

  it('is not found in an unknown community', async () =>
    expect(
      (await key.post('/v1/community/communities/com_0/points', { points: 5, target_email: emailFor('mary') })).status,
    ).toBe(404));
});
