import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { type Service, startService } from '../../support/service.js';
import { createCommunity, emailFor, joinAs, toProblem } from '../community-users.js';

const PERIODS = ['7d', '30d', 'all'];

describe('The leaderboard', () => {
  let service: Service;
  let key: Api;
  let mary: Api;
  let community: string;
  beforeAll(async () => {
    service = await startService();
    key = service.createApi(await service.createKey(await service.createBusiness()));
  });
  beforeEach(async () => {
    const { id } = await createCommunity(key);
    community = `/v1/community/communities/${id}`;
    for (const name of ['ann', 'ben', 'cora', 'dan']) await joinAs(service, id, name, 'member');
    mary = await joinAs(service, id, 'mary', 'member');
    for (const [name, points] of [['ann', 9], ['ben', 5], ['cora', 5], ['mary', 2]] as const) await award(name, points); // prettier-ignore
  });
  afterAll(() => service.stop());

  const award = async (name: string, points: number) =>
    requireData(await key.post(`${community}/points`, { points, target_email: emailFor(name) }));
  const show = (query: string, api: Api = key) => api.get(`${community}/leaderboard?${query}`);
  const summarize = ({ body }: ApiResponse) =>
    body.data.map(({ rank, points, user }: { rank: number; points: number; user: { email: string | null } }) =>
      [rank, points, user.email?.split('@')[0]]); // prettier-ignore

  it.each(PERIODS)('ranks active members with points, and ties share a rank (%s)', async (period) => {
    expect(summarize(await show(`period=${period}`))).toEqual([
      [1, 9, 'ann'],
      [2, 5, 'cora'],
      [2, 5, 'ben'],
      [4, 2, 'mary'],
    ]);
  });

  it.each(PERIODS)('continues the ranks on later pages, and ends with the last page (%s)', async (period) => {
    const second = await show(`period=${period}&per_page=2&page=2`);
    expect(summarize(second)).toEqual([
      [2, 5, 'ben'],
      [4, 2, 'mary'],
    ]);
    expect((await show(`period=${period}&per_page=2&page=9`)).body).toEqual(second.body);
    expect(second.body.pagination).toEqual({ total_pages: 2, current_page: 2, per_page: 2, total_count: 4 });
  });

  it.each(PERIODS)('follows awards, reversals and departures (%s)', async (period) => {
    const { id, user } = await award('mary', 100);
    expect(summarize(await show(`period=${period}`))[0]).toEqual([1, 102, 'mary']);

    await key.post(`${community}/points/${id}/reversal`, { reason: 'By mistake' });
    expect(summarize(await show(`period=${period}`))[3]).toEqual([4, 2, 'mary']);

    await key.delete(`${community}/members/${user.id}`);
    expect((await show(`period=${period}`)).body.pagination.total_count).toBe(3);
  });

  it('shows a member the level of everybody, and only the own address', async () => {
    const { body } = await show('', mary);
    expect(body.data.map(({ level }: { level: number }) => level)).toEqual([2, 2, 2, 1]);
    expect(summarize({ body } as ApiResponse).map(([, , name]: unknown[]) => name)).toEqual([undefined, undefined, undefined, 'mary']); // prettier-ignore
  });

  it('is empty without awards', async () => {
    const { id } = await createCommunity(key);
    for (const period of PERIODS)
      expect((await key.get(`/v1/community/communities/${id}/leaderboard?period=${period}`)).body).toEqual({
        data: [],
        pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 0 },
      });
  });

  it('refuses another period', async () =>
    expect(toProblem(await show('period=1y'))).toMatchObject({ status: 400, code: 'invalid_parameter' }));
});
