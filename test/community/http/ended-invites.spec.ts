import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { type CommunityFixture, startCommunity } from '../community-fixture.js';
import { emailFor, signIn, toProblem } from '../community-users.js';

describe('The pending invite of an address', () => {
  let fixture: CommunityFixture;
  beforeAll(async () => {
    fixture = await startCommunity();
  });
  afterAll(() => fixture.service.stop());

  const invite = async (name: string, body: object = { role: 'moderator', level: 5 }) =>
    requireData(await fixture.key.post(`${fixture.path}/invites`, { email: emailFor(name), ...body }));
  const pathOf = ({ id }: { id: string }) => `/v1/community/invites/${id}`;
  const statusOf = async (one: { id: string }) => requireData(await fixture.key.get(pathOf(one))).status as string;
  const accept = (api: Api, one: { id: string }) => api.post(`${pathOf(one)}/accept`);
  const memberPath = async (api: Api) => `${fixture.path}/members/${requireData(await api.get('/v1/auth/me')).user.id}`;
  const memberOf = async (api: Api) => requireData(await fixture.key.get(await memberPath(api)));

  it('ends when its addressee joins without it, and does not bring a removed member back', async () => {
    const joiner = await signIn(fixture.service, 'xan');
    const stale = await invite('xan');
    await joiner.post(`${fixture.path}/join`);
    expect(await statusOf(stale)).toBe('revoked');

    await fixture.key.delete(await memberPath(joiner));

    expect(toProblem(await accept(joiner, stale))).toMatchObject({ status: 422, code: 'invite_revoked' });
    expect(await memberOf(joiner)).toMatchObject({ status: 'removed', role: 'member', level: 1 });
  });

  it('ends when its addressee is imported, and changes neither role nor level', async () => {
    const imported = await signIn(fixture.service, 'ida');
    await imported.get('/v1/auth/me');
    const stale = await invite('ida');
    await fixture.key.post(`${fixture.path}/members/import`, { members: [{ email: emailFor('ida') }] });

    expect(toProblem(await accept(imported, stale))).toMatchObject({ status: 422, code: 'invite_revoked' });
    expect(await memberOf(imported)).toMatchObject({ status: 'active', role: 'member', level: 1 });
    await eventually(
      () => statusOf(stale),
      (status) => status === 'revoked',
    );
  });

  it('ends when an unknown addressee is imported', async () => {
    const stale = await invite('new');
    await fixture.key.post(`${fixture.path}/members/import`, { members: [{ email: emailFor('new') }] });

    await eventually(
      () => statusOf(stale),
      (status) => status === 'revoked',
    );
  });

  it('ends when a member verifies the address', async () => {
    const { service } = fixture;
    const member = await signIn(service, 'old-name');
    await member.post(`${fixture.path}/join`);
    const stale = await invite('new-name');
    const renamed = service.createApi(await service.signToken('old-name', { email: emailFor('new-name') }));

    expect(toProblem(await accept(renamed, stale))).toMatchObject({ status: 422, code: 'invite_revoked' });
    expect(await memberOf(renamed)).toMatchObject({ role: 'member', level: 1 });
  });

  it('is a new one after a removal, and admits with its terms', async () => {
    const member = await signIn(fixture.service, 'nia');
    await member.post(`${fixture.path}/join`);
    await fixture.key.delete(await memberPath(member));

    const fresh = await invite('nia');

    expect(requireData(await accept(member, fresh)).status).toBe('accepted');
    expect(await memberOf(member)).toMatchObject({ status: 'active', role: 'moderator', level: 5 });
    expect(await statusOf(fresh)).toBe('accepted');
  });
});

describe('A member who comes back', () => {
  let fixture: CommunityFixture;
  beforeAll(async () => {
    fixture = await startCommunity();
  });
  afterAll(() => fixture.service.stop());

  it.each([
    ['after leaving', 'lea', (_: string, api: Api) => api.post(`${fixture.path}/leave`)],
    ['after a removal', 'rob', (path: string) => fixture.key.delete(path)],
    ['after a ban', 'bob', (path: string) => fixture.key.patch(path, { status: 'banned' })],
  ])('%s is a plain one, who keeps the points', async (_, name, end) => {
    const api = await signIn(fixture.service, name);
    await api.post(`${fixture.path}/join`);
    const path = `${fixture.path}/members/${requireData(await api.get('/v1/auth/me')).user.id}`;
    await fixture.key.patch(path, { role: 'moderator', level: 6 });
    await fixture.key.put(`${path}/expert-badge`);
    await fixture.key.post(`${fixture.path}/points`, { points: 5, target_email: emailFor(name) });

    await end(path, api);
    await (name === 'bob' ? fixture.key.patch(path, { status: 'active' }) : api.post(`${fixture.path}/join`));

    expect(requireData(await fixture.key.get(path))).toMatchObject({
      status: 'active',
      role: 'member',
      level: 2,
      points: 5,
      expert_badge: null,
    });
  });

  it.each([
    ['removed', 'eva', (path: string) => fixture.key.delete(path)],
    ['banned', 'eli', (path: string) => fixture.key.patch(path, { status: 'banned' })],
    ['removed', 'edi', (path: string, api: Api) => api.post(`${path.split('/members')[0]}/leave`)],
  ])('has no expert badge while %s (%s)', async (status, name, end) => {
    const api = await signIn(fixture.service, name);
    await api.post(`${fixture.path}/join`);
    const path = `${fixture.path}/members/${requireData(await api.get('/v1/auth/me')).user.id}`;
    await fixture.key.put(`${path}/expert-badge`);

    await end(path, api);

    const list = (await fixture.key.get(`${fixture.path}/members?status=${status}&email=${emailFor(name)}`)).body.data;
    expect([requireData(await fixture.key.get(path)), ...list]).toMatchObject([
      { status, expert_badge: null },
      { status, expert_badge: null },
    ]);
  });

  it('gets the role that is given together with the end of a ban', async () => {
    const api = await signIn(fixture.service, 'zoe');
    await api.post(`${fixture.path}/join`);
    const path = `${fixture.path}/members/${requireData(await api.get('/v1/auth/me')).user.id}`;
    await fixture.key.patch(path, { role: 'moderator', level: 6, status: 'banned' });

    const back = requireData(await fixture.key.patch(path, { status: 'active', role: 'moderator' }));

    expect(back).toMatchObject({ status: 'active', role: 'moderator', level: 1 });
  });
});
