import { memberImportDecider } from '../../../src/community/domain/member-import.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { emailFor, joinAs, signIn, toProblem } from '../community-users.js';

describe('An import of members', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let path: string;
  beforeAll(async () => {
    ({ service, key, moderator, member, community } = await startCommunity({ memberLevel: 2 }));
    path = `/v1/community/communities/${community}/members`;
    const owner = service.createApi(await service.signToken('owner', { email: 'ada@example.com' }));
    await owner.get('/v1/auth/me');
  });
  afterAll(() => service.stop());

  const send = async (...members: object[]) => (await key.post(`${path}/import`, { members })).body.data;

  /** On a slow store the first request is answered 503 while its import goes on; the next one finds the members. */
  async function sendUntilAnswered(members: readonly object[]) {
    for (let repeats = 0; ; repeats++) {
      const { status, body } = await key.post(`${path}/import`, { members });
      if (status !== 503) return { ...body.data, repeats };
    }
  }

  it('keeps of a row that is no address its number and code, and repeats the text in the answer only', async () => {
    const texts = ['GDPR Person <gdpr@example.com>', 'gdpr@example.com;', 'mailto:gdpr@example.com'];
    const emails = (body: { results: { email: string | null }[] }) => body.results.map(({ email }) => email);
    const answer = requireData(
      await key.post(`${path}/import`, { members: [...texts, 5].map((email) => ({ email })) }),
    );

    const kept = requireData(await key.get(`${path}/imports/${answer.id}`));

    expect(emails(answer)).toEqual([...texts, null]);
    expect(emails(kept)).toEqual([null, null, null, null]);
    expect(kept.results).toMatchObject([0, 1, 2, 3].map((index) => ({ index, error: { code: 'invalid_email' } })));
    const history = await key.get(`/v1/audit/resources/${answer.id}/history`);
    for (const text of [JSON.stringify(kept), history.text]) expect(text).not.toMatch(/gdpr/i);
    const { rows } = (await service.get(Streams).loadHistory(memberImportDecider, answer.id))[0]!.data as {
      rows: readonly { email: unknown }[];
    };
    expect(rows.map(({ email }) => email)).toEqual([null, null, null, null]);
  });

  it('keeps the address of a row with another mistake', async () => {
    const answer = requireData(
      await key.post(`${path}/import`, { members: [{ email: 'fine@example.com', level: 0 }] }),
    );

    const kept = requireData(await key.get(`${path}/imports/${answer.id}`));

    expect(kept.results).toMatchObject([{ email: 'fine@example.com', error: { code: 'invalid_level' } }]);
  });

  it('returns one result per row: a good one, a bad one, a doubled one and the owner', async () => {
    const found = await key.post(`${path}/import`, {
      members: [
        { email: 'new@example.com', level: 3, role: 'moderator' },
        { email: 'nope' },
        { email: ' NEW@example.com ' },
        { email: 'ada@example.com' },
        { email: 'level@example.com', level: 101 },
        { email: 'role@example.com', role: 'owner' },
        { email: emailFor('mary'), level: 4 },
        { email: emailFor('mo') },
      ],
    });

    expect(found.status).toBe(200);
    const { results, ...rest } = found.body.data;
    expect(rest).toEqual({
      id: expect.stringMatching(/^imp_[0-9a-z]{26}$/),
      object: 'member_import',
      community: { object: 'community', id: community },
      ...{ total: 8, created: 1, updated: 1, unchanged: 1, failed: 5 },
      created_at: expect.any(String),
    });
    expect(
      results.map(({ status, error }: { status: string; error: { code: string; field: string } | null }) => [
        status,
        error?.code,
        error?.field,
      ]),
    ).toEqual([
      ['created', undefined, undefined],
      ['failed', 'invalid_email', 'members[1].email'],
      ['failed', 'duplicate_in_request', 'members[2].email'],
      ['failed', 'owner_protected', 'members[3].email'],
      ['failed', 'invalid_level', 'members[4].level'],
      ['failed', 'invalid_role', 'members[5].role'],
      ['updated', undefined, undefined],
      ['unchanged', undefined, undefined],
    ]);
    expect(results[0]).toMatchObject({ index: 0, email: 'new@example.com', user_id: expect.any(String) });
    expect(requireData(await key.get(`${path}/imports/${found.body.data.id}`))).toEqual({
      ...found.body.data,
      results: results.with(1, { ...results[1], email: null }),
    });
    expect(requireData(await key.get(`${path}/${results[6].user_id}`))).toMatchObject({ role: 'member', level: 4 });
  });

  it('trims addresses and makes them lower-case', async () => {
    const { results } = await send({ email: ' Quinn@Example.com ' });

    expect(results[0].email).toBe('quinn@example.com');
    const member = requireData(await key.get(`${path}/${results[0].user_id}`));
    expect(member.user.email).toBe('quinn@example.com');
  });

  it('makes an unknown address pending until its user signs in', async () => {
    const { results } = await send({ email: emailFor('paul'), level: 2 });
    const memberPath = `${path}/${results[0].user_id}`;
    expect(requireData(await key.get(memberPath))).toMatchObject({ status: 'pending', level: 2, joined_at: null });

    const paul = await signIn(service, 'paul');
    expect((await paul.get(path)).status).toBe(200);

    const status = async () => requireData(await key.get(memberPath)).status as string;
    expect(await eventually(status, (found) => found === 'active')).toBe('active');
    expect((await send({ email: emailFor('paul') })).unchanged).toBe(1);
  });

  it('makes a known user a member who verifies the address later', async () => {
    const before = service.createApi(await service.signToken('rhea'));
    const userId = (await before.get('/v1/auth/me')).body.data.user.id as string;
    await send({ email: emailFor('rhea') });

    const rhea = await signIn(service, 'rhea');

    const status = async () => (await rhea.get(path)).status;
    expect(await eventually(status, (found) => found === 200)).toBe(200);
    expect(requireData(await key.get(`${path}/${userId}`))).toMatchObject({ status: 'active' });
  });

  it('tells the business that a pending member has joined', async () => {
    const { results } = await send({ email: emailFor('jules') });
    await (await signIn(service, 'jules')).get('/v1/auth/me');

    const list = async () => requireData(await key.get(`/v1/webhooks/events?resource=${results[0].member_id}`));
    const events = await eventually(list, ({ length }) => length > 1);
    expect(events).toMatchObject([
      { type: 'community.member.joined', data: { status: 'active', joined_at: expect.any(String) } },
      { type: 'community.member.imported', data: { status: 'pending', joined_at: null } },
    ]);
  });

  it('keeps a removed address pending until its user signs in', async () => {
    const [{ user_id }] = (await send({ email: emailFor('rita') })).results;
    const status = async () => requireData(await key.get(`${path}/${user_id}`)).status as string;
    await key.delete(`${path}/${user_id}`);

    expect((await send({ email: emailFor('rita') })).updated).toBe(1);

    expect(await status()).toBe('pending');
    expect((await member.get(`${path}/${user_id}`)).status).toBe(404);
    await (await signIn(service, 'rita')).get(path);
    expect(await eventually(status, (found) => found === 'active')).toBe('active');
  });

  it('does not make a pending member active by a change, also one whose ban has ended', async () => {
    const [{ user_id }] = (await send({ email: emailFor('tara') })).results;
    const change = (body: object) => key.patch(`${path}/${user_id}`, body);
    const refusals = [await change({ status: 'active' }), await change({ status: 'active', role: 'moderator' })];
    const banned = [await change({ status: 'banned' }), await change({ status: 'active' })];
    refusals.push(await change({ status: 'active' }));

    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ code: 'not_allowed', field: 'status' }] },
      });
    expect(banned.map((answer) => requireData(answer).status)).toEqual(['banned', 'pending']);
    expect(requireData(await key.get(`${path}/${user_id}`))).toMatchObject({ status: 'pending', role: 'member' });
  });

  it('activates a member whose user signed in during a ban', async () => {
    const [{ user_id }] = (await send({ email: emailFor('sven') })).results;
    await key.patch(`${path}/${user_id}`, { status: 'banned' });
    await (await signIn(service, 'sven')).get(path);

    await key.patch(`${path}/${user_id}`, { status: 'active' });

    const status = async () => requireData(await key.get(`${path}/${user_id}`)).status as string;
    expect(await eventually(status, (found) => found === 'active')).toBe('active');
  });

  it('stays banned as a user who had another address before, and has another one later', async () => {
    const signInAs = async (name: string) => {
      const api = service.createApi(await service.signToken('wanda', { email: emailFor(name) }));
      return { api, userId: requireData(await api.get('/v1/auth/me')).user.id as string };
    };
    const { userId } = await signInAs('wanda-old');
    const { results } = await send({ email: emailFor('wanda') });
    const banned = `${path}/${results[0].user_id}`;
    await key.patch(banned, { status: 'banned' });
    const join = `/v1/community/communities/${community}/join`;

    const refused = await (await signInAs('wanda')).api.post(join);
    await eventually(
      () => key.get(`${path}/${userId}`),
      ({ status }) => status === 200,
    );
    const { api: later } = await signInAs('wanda-new');

    expect([refused, await later.post(join)].map(toProblem)).toEqual(
      Array.from({ length: 2 }, () => ({ status: 403, code: 'banned', fields: [] })),
    );
    await key.patch(banned, { status: 'active' });
    expect(requireData(await later.post(join))).toMatchObject({ id: results[0].member_id, status: 'active' });
  });

  it('is removed for a user who has joined before the address was verified', async () => {
    const before = service.createApi(await service.signToken('tess'));
    const joined = requireData(await before.post(`/v1/community/communities/${community}/join`));
    const { results } = await send({ email: emailFor('tess'), role: 'moderator', level: 7 });

    const tess = await signIn(service, 'tess');
    await tess.get(path);

    const read = async () => requireData(await key.get(`${path}/${results[0].user_id}`)).status as string;
    expect(await eventually(read, (found) => found !== 'pending')).toBe('removed');
    expect(requireData(await tess.get(`${path}/${joined.user.id}`))).toMatchObject({ role: 'moderator', level: 7 });
  });

  it.each([
    [
      'brings back a user who had left',
      'ulla',
      (api: Api) => api.post(`/v1/community/communities/${community}/leave`),
      'active',
    ],
    ['does not end the ban of a user', 'vito', (_: Api, own: string) => key.patch(own, { status: 'banned' }), 'banned'],
  ])('%s, and who verifies the address later', async (_, name, end, status) => {
    const before = service.createApi(await service.signToken(name));
    const { user } = requireData(await before.post(`/v1/community/communities/${community}/join`));
    await end(before, `${path}/${user.id}`);
    const { results } = await send({ email: emailFor(name) });

    await (await signIn(service, name)).get('/v1/auth/me');

    const read = async (id: string) => requireData(await key.get(`${path}/${id}`)).status as string;
    await eventually(
      () => read(results[0].user_id),
      (found) => found !== 'pending',
    );
    expect(await read(user.id)).toBe(status);
  });

  it('does not bring back a banned member, and brings back a removed one', async () => {
    const [bad, gone] = [
      await joinAs(service, community, 'bad', 'member'),
      await joinAs(service, community, 'gone', 'member'),
    ];
    const userIdOf = async (api: Api) => (await api.get('/v1/auth/me')).body.data.user.id as string;
    await key.patch(`${path}/${await userIdOf(bad)}`, { status: 'banned' });
    await key.delete(`${path}/${await userIdOf(gone)}`);

    const { results } = await send({ email: emailFor('bad') }, { email: emailFor('gone') });

    expect(results[0]).toMatchObject({ status: 'failed', error: { code: 'banned_member' } });
    expect(results[1]).toMatchObject({ status: 'updated', error: null });
    expect(requireData(await key.get(`${path}/${await userIdOf(gone)}`))).toMatchObject({ status: 'active' });
  });

  it('imports 500 rows with 50 bad ones', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => ({ email: i % 10 === 3 ? 'nope' : `row${i}@example.com` }));

    const { results, repeats, created, unchanged, ...counts } = await sendUntilAnswered(rows);

    expect(counts).toMatchObject({ total: 500, failed: 50 });
    expect(repeats === 0 ? created : created + unchanged).toBe(450);
    expect(results.map(({ index }: { index: number }) => index)).toEqual(rows.map((_, i) => i));
    expect((await key.get(`${path}?status=pending`)).body.pagination.total_count).toBeGreaterThanOrEqual(450);
  });

  it('counts a new member as created by one of two imports at the same time', async () => {
    const rows = Array.from({ length: 20 }, (_, i) => ({ email: `twice${i}@example.com` }));

    const imports = await Promise.all([send(...rows), send(...rows)]);

    expect(imports[0].created + imports[1].created).toBe(20);
    expect(imports[0].unchanged + imports[1].unchanged).toBe(20);
  });

  it.each([
    ['no rows', { members: [] }, 'validation_failed', ['members']],
    [
      '501 rows',
      { members: Array.from({ length: 501 }, () => ({ email: 'a@example.com' })) },
      'validation_failed',
      ['members'],
    ],
    ['a row that is a string', { members: ['a@example.com'] }, 'validation_failed', ['members[0]']],
    [
      'an unknown field',
      { members: [{ email: 'a@example.com', name: 'A' }] },
      'unknown_parameter',
      ['members[0].name'],
    ],
  ])('is refused with %s', async (_, body, code, fields) =>
    expect(toProblem(await key.post(`${path}/import`, body))).toEqual({ status: 422, code, fields }),
  );

  it('is for the owner, and is read by moderators', async () => {
    const { id } = await send({ email: 'seen@example.com' });

    for (const api of [moderator, member])
      expect(toProblem(await api.post(`${path}/import`, { members: [{ email: 'x@example.com' }] }))).toMatchObject({
        status: 403,
        code: 'permission_denied',
      });
    expect((await moderator.get(`${path}/imports/${id}`)).status).toBe(200);
    expect((await member.get(`${path}/imports/${id}`)).status).toBe(403);
    expect((await key.get(`${path}/imports/imp_0`)).status).toBe(404);
  });
});
