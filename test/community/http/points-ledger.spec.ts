import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService } from '../../support/service.js';
import { populateCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, signIn, toProblem } from '../community-users.js';

describe('The ledger of points', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  beforeAll(async () => {
    service = await startService();
    key = service.createApi(await service.createKey(await service.createBusiness()));
  });
  beforeEach(async () => {
    ({ path: community, moderator, member } = await populateCommunity(service, key));
  });
  afterAll(() => service.stop());

  const award = async (points: number, name = 'mary', source: object = {}) =>
    requireData(await key.post(`${community}/points`, { points, target_email: emailFor(name), ...source }));
  const reverse = (api: Api, awardId: string, body: object = { reason: 'By mistake' }) =>
    api.post(`${community}/points/${awardId}/reversal`, body);
  const list = (api: Api, query = '') => api.get(`${community}/points${query}`);
  const summarize = ({ status, body }: ApiResponse) => [
    status,
    body.data.map(({ user, points }: { user: { email: string }; points: number }) => [user.email, points]),
    body.pagination.total_count,
  ];

  describe('in a list', () => {
    const [mo, mary] = [emailFor('mo'), emailFor('mary')];
    beforeEach(async () => {
      await award(1);
      await award(2, 'mo');
      await award(3);
      await eventually(
        () => list(moderator),
        ({ body }) => body.pagination.total_count === 3,
      );
    });

    it('shows moderators and the key every entry, newest first', async () => {
      const all = [[mary, 3], [mo, 2], [mary, 1]]; // prettier-ignore
      for (const api of [key, moderator]) expect(summarize(await list(api))).toEqual([200, all, 3]);
    });

    it('shows moderators the entries of one address, and none for an unknown one', async () => {
      expect(summarize(await list(moderator, `?target_email=${mary}`))).toEqual([200, [[mary, 3], [mary, 1]], 2]); // prettier-ignore
      expect(summarize(await list(moderator, '?target_email=nobody@example.com'))).toEqual([200, [], 0]);
    });

    it('shows a member only the own entries', async () => {
      for (const query of ['', `?target_email=${mary}`])
        expect(summarize(await list(member, query))).toEqual([200, [[mary, 3], [mary, 1]], 2]); // prettier-ignore
    });

    it('refuses a member who gives another address, known or not', async () => {
      for (const address of [mo, 'nobody@example.com'])
        expect(toProblem(await list(member, `?target_email=${address}`))).toMatchObject({
          status: 403,
          code: 'permission_denied',
        });
    });

    it('refuses outsiders', async () =>
      expect(toProblem(await list(await signIn(service, 'olga')))).toMatchObject({ code: 'not_a_member' }));

    it('has pages of at most 100 entries', async () => {
      const { pagination } = (await list(key, '?page=9&per_page=101')).body;
      expect(pagination).toEqual({ total_pages: 1, current_page: 1, per_page: 100, total_count: 3 });
    });
  });

  it('takes the points of a reversed award once, and shows the reversal to the member', async () => {
    const lesson = { source_type: 'course', source_id: 'lesson-7' };
    const { id } = await award(50, 'mary', lesson);
    await award(20);

    const reversed = await reverse(moderator, id);
    const again = await reverse(key, id, { reason: 'Another reason' });

    expect([reversed.status, again.status]).toEqual([201, 200]);
    expect(reversed.body.data).toEqual({
      id: expect.stringMatching(/^pta_[0-9a-z]{26}$/),
      object: 'points_award',
      community: expect.anything(),
      user: expect.objectContaining({ email: emailFor('mary') }),
      points: -50,
      source_type: 'reversal',
      source_id: id,
      balance: 20,
      level: 3,
      leveled_up: false,
      duplicate: false,
      created_at: expect.any(String),
    });
    expect(again.body.data).toEqual({ ...reversed.body.data, duplicate: true });
    expect(summarize(await list(member))[1]).toEqual([-50, 20, 50].map((points) => [emailFor('mary'), points]));
  });

  it('keeps the source of a reversed award: a repetition returns the first award and pays nothing', async () => {
    const lesson = { source_type: 'course', source_id: 'lesson-7' };
    const first = await award(50, 'mary', lesson);
    await reverse(key, first.id);

    expect(await award(50, 'mary', lesson)).toEqual({ ...first, duplicate: true });
    expect(await award(1)).toMatchObject({ balance: 1 });
  });

  it('takes the points of an award once for requests at the same time', async () => {
    const { id } = await award(50);

    const answers = await Promise.all(Array.from({ length: 6 }, () => reverse(key, id)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(await award(1)).toMatchObject({ balance: 1 });
  });

  it('refuses a reversal by members, and by moderators of their own awards', async () => {
    const { id } = await award(5, 'mo');

    expect(toProblem(await reverse(member, id))).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(toProblem(await reverse(moderator, id))).toEqual({ status: 422, code: 'self_award', fields: [] });
    expect((await reverse(key, id)).status).toBe(201);
  });

  it('does not find a reversal, or an award of another community', async () => {
    const { id } = await award(5);
    const reversal = requireData(await reverse(key, id));
    const other = (await createCommunity(key)).id;

    expect((await reverse(key, reversal.id)).status).toBe(404);
    expect((await reverse(key, 'pta_0')).status).toBe(404);
    const path = `/v1/community/communities/${other}/points/${id}/reversal`;
    expect((await key.post(path, { reason: 'By mistake' })).status).toBe(404);
  });

  it.each([[{}], [{ reason: ' ' }], [{ reason: 'x'.repeat(501) }]])('refuses a reversal with %j', async (body) => {
    const { id } = await award(5);
    expect(toProblem(await reverse(key, id, body))).toEqual({
      status: 422,
      code: 'validation_failed',
      fields: ['reason'],
    });
  });

  it('refuses a reversal in an archived community', async () => {
    const { id } = await award(5);
    await key.post(`${community}/archive`);

    expect(toProblem(await reverse(key, id))).toMatchObject({ status: 422, code: 'community_archived' });
    expect((await list(member)).status).toBe(200);
  });
});
