import { type Api, requireData } from '../../support/api.js';
import { type CommunityFixture, startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, joinAs, signIn } from '../community-users.js';

describe('A user of communities', () => {
  let fixture: CommunityFixture;
  beforeAll(async () => {
    fixture = await startCommunity();
  });
  afterAll(() => fixture.service.stop());

  const idsIn = async (api: Api, query: string) =>
    (await api.get(`/v1/community/${query}`)).body.data.map(({ id }: { id: string }) => id) as string[];
  const createNamed = async (name: string) => (await createCommunity(fixture.key, { name })).id as string;

  it('lists the own memberships, the latest one first, without those that have ended', async () => {
    const { service, key } = fixture;
    const [first, second, left] = [await createNamed('One'), await createNamed('Two'), await createNamed('Three')];
    const member = await joinAs(service, first, 'uma', 'member');
    await member.post(`/v1/community/communities/${left}/join`);
    await member.post(`/v1/community/communities/${left}/leave`);
    await member.post(`/v1/community/communities/${second}/join`);

    const list = await member.get('/v1/community/communities?member=me');

    expect(list.body.data).toMatchObject([
      { id: second, name: 'Two' },
      { id: first, name: 'One' },
    ]);
    expect(list.body.pagination.total_count).toBe(2);
    expect(await idsIn(member, 'communities')).toEqual([]);
    expect(await idsIn(key, 'communities?member=me')).toContain(first);
    expect((await member.get('/v1/community/communities?member=you')).status).toBe(400);
  });

  it('lists the own invites of all communities, and nobody else’s', async () => {
    const { service, key } = fixture;
    const communities = [await createNamed('Red'), await createNamed('Blue')];
    const invite = async (id: string, name: string) =>
      requireData(await key.post(`/v1/community/communities/${id}/invites`, { email: emailFor(name) })).id as string;
    const own = [await invite(communities[0]!, 'vic'), await invite(communities[1]!, 'vic')];
    await invite(communities[0]!, 'wes');
    const invitee = await signIn(service, 'vic');
    await invitee.post(`/v1/community/invites/${own[0]}/decline`);

    const list = await invitee.get('/v1/community/invites');

    expect(list.body.data).toMatchObject([
      { id: own[1], status: 'pending', email: emailFor('vic') },
      { id: own[0], status: 'declined' },
    ]);
    expect(await idsIn(await signIn(service, 'xia'), 'invites')).toEqual([]);
    expect(await idsIn(key, 'invites')).toEqual([]);
  });

  it('lists the invites of the current address only', async () => {
    const { service, key, path } = fixture;
    await key.post(`${path}/invites`, { email: emailFor('yan') });
    const moved = await signIn(service, 'yan');
    expect(await idsIn(moved, 'invites')).toHaveLength(1);

    const token = await service.signToken('yan', { email: emailFor('yan-home') });

    expect(await idsIn(service.createApi(token), 'invites')).toEqual([]);
  });
});
