import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { signIn, toProblem } from '../community-users.js';

const POSTS = { title: 'Thirty pots', goal_type: 'posts', goal_target: 30 };
const PAST = '2021-01-01T00:00:00.000Z';
const LONG_AGO = '2020-01-01T00:00:00.000Z';

describe('A challenge', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let challenges: string;
  beforeAll(async () => {
    ({ service, key, moderator, member, community } = await startCommunity());
    challenges = `/v1/community/communities/${community}/challenges`;
  });
  afterAll(() => service.stop());

  const create = async (body: object = POSTS) => {
    const { id } = requireData(await moderator.post(challenges, body));
    return `/v1/community/challenges/${id}`;
  };
  const listIds = async (api: Api) =>
    (await api.get(`${challenges}?per_page=100`)).body.data.map(({ id }: { id: string }) => id) as string[];

  it('is created with every field and found again', async () => {
    const fields = {
      ...POSTS,
      description: 'Throw a pot each day',
      cp_reward: 100,
      prize_description: 'A glaze',
      starts_at: '2026-01-01T00:00:00.000Z',
      ends_at: '2999-01-01T00:00:00.000Z',
      deadline_timezone: 'Europe/Berlin',
    };
    const answer = await moderator.post(challenges, { ...fields, ends_at: '2999-01-01T01:00:00+01:00' });

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^chal_[0-9a-z]{26}$/),
      object: 'challenge',
      community: { object: 'community', id: community },
      ...fields,
      status: 'active',
      participant_count: 0,
      created_by: { object: 'user', id: expect.any(String) },
      created_at: expect.any(String),
      updated_at: answer.body.data.created_at,
      cancelled_at: null,
    });
    expect(requireData(await member.get(`/v1/community/challenges/${answer.body.data.id}`))).toEqual(answer.body.data);
    expect(await listIds(member)).toContain(answer.body.data.id);
  });

  it('starts at once and has no end by default', async () => {
    const { starts_at, created_at, ...created } = requireData(await moderator.post(challenges, POSTS));

    expect(starts_at).toBe(created_at);
    expect(created).toMatchObject({ status: 'active', ends_at: null, cp_reward: 0, deadline_timezone: 'UTC' });
  });

  it('is scheduled before its start', async () => {
    const challenge = await create({ ...POSTS, starts_at: '2999-01-01T00:00:00Z' });
    expect(requireData(await member.get(challenge))).toMatchObject({ status: 'scheduled' });
  });

  it('is edited, and keeps its participants', async () => {
    const challenge = await create({ ...POSTS, description: 'Pots', prize_description: 'A glaze' });
    await member.post(`${challenge}/join`);

    const changes = { title: 'Bowls', description: null, prize_description: null, ends_at: '2999-01-01T00:00:00.000Z' };
    const edited = requireData(await moderator.patch(challenge, changes));

    expect(edited).toMatchObject({ ...changes, goal_target: 30, participant_count: 1 });
    expect(requireData(await member.get(challenge))).toEqual(edited);
    expect(requireData(await moderator.patch(challenge, { ends_at: null })).ends_at).toBeNull();
  });

  it('stays unchanged after an empty edit', async () => {
    const challenge = await create();
    const before = requireData(await member.get(challenge));

    const answer = await moderator.patch(challenge, {});

    expect([answer.status, answer.body.data]).toEqual([200, before]);
  });

  it('is cancelled once, then visible to moderators and keys only', async () => {
    const challenge = await create();
    await member.post(`${challenge}/join`);
    const cancelled = requireData(await moderator.delete(challenge));

    expect(cancelled).toMatchObject({
      status: 'cancelled',
      participant_count: 1,
      cancelled_at: expect.any(String),
      updated_at: cancelled.cancelled_at,
    });
    expect((await key.delete(challenge)).body.data).toEqual(cancelled);
    for (const api of [moderator, key]) expect(requireData(await api.get(challenge))).toEqual(cancelled);
    for (const answer of [
      await member.get(challenge),
      await member.get(`${challenge}/progress`),
      await member.post(`${challenge}/join`),
    ])
      expect(answer.status).toBe(404);
    for (const api of [moderator, member]) expect(await listIds(api)).not.toContain(cancelled.id);
    for (const answer of [await moderator.patch(challenge, { title: 'x' }), await moderator.post(`${challenge}/join`)])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'challenge_cancelled' });
  });

  it('cannot be changed, cancelled or joined after its end', async () => {
    const ends_at = new Date(Date.now() + 100).toISOString();
    const challenge = await create({ ...POSTS, ends_at });
    await eventually(
      async () => requireData(await member.get(challenge)),
      ({ status }) => status === 'ended',
    );

    for (const answer of [
      await moderator.patch(challenge, { ends_at: null }),
      await moderator.delete(challenge),
      await member.post(`${challenge}/join`),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'challenge_ended' });
  });

  it('is joined once by each member', async () => {
    const challenge = await create();
    const joined = await member.post(`${challenge}/join`);

    expect(joined.status).toBe(200);
    expect(joined.body.data).toEqual({
      object: 'challenge_progress',
      challenge: { object: 'challenge', id: challenge.split('/').at(-1) },
      user: { object: 'user', id: expect.any(String) },
      joined_at: expect.any(String),
      count: 0,
      goal_target: 30,
      completed_at: null,
    });
    expect((await member.post(`${challenge}/join`)).body.data).toEqual(joined.body.data);
    expect(requireData(await member.get(`${challenge}/progress`))).toEqual(joined.body.data);
    await key.post(`${challenge}/join`);
    expect(requireData(await member.get(challenge)).participant_count).toBe(2);
  });

  it('has no progress of members who have not joined', async () => {
    const challenge = await create();

    for (const api of [moderator, member]) expect((await api.get(`${challenge}/progress`)).status).toBe(404);
  });

  it('is joined by members only', async () => {
    const challenge = await create();
    const foreign = await service.createBusiness('Foreign', 'somebody');
    const outsider = await signIn(service, 'olga');

    for (const api of [outsider, service.createApi(await service.createKey(foreign))])
      expect((await api.post(`${challenge}/join`)).status).toBe(404);
  });

  it.each([
    ['no title', { goal_type: 'posts', goal_target: 1 }, 'validation_failed', ['title']],
    ['a blank title', { ...POSTS, title: ' ' }, 'validation_failed', ['title']],
    ['no goal', { title: 'Pots' }, 'validation_failed', ['goal_type', 'goal_target']],
    ['an unknown goal', { ...POSTS, goal_type: 'likes' }, 'validation_failed', ['goal_type']],
    ['the target 0', { ...POSTS, goal_target: 0 }, 'validation_failed', ['goal_target']],
    ['a negative reward', { ...POSTS, cp_reward: -1 }, 'validation_failed', ['cp_reward']],
    ['a start without a time', { ...POSTS, starts_at: '2026-01-01' }, 'validation_failed', ['starts_at']],
    ['an end before its start', { ...POSTS, ends_at: LONG_AGO }, 'invalid_range', ['ends_at']],
    ['an end in the past', { ...POSTS, starts_at: LONG_AGO, ends_at: PAST }, 'invalid_range', ['ends_at']],
    [
      'an unknown time zone',
      { ...POSTS, deadline_timezone: 'Europe/Atlantis' },
      'invalid_timezone',
      ['deadline_timezone'],
    ],
    ['an unknown field', { ...POSTS, status: 'ended' }, 'unknown_parameter', ['status']],
  ])('is refused with %s', async (_, body, code, fields) =>
    expect(toProblem(await moderator.post(challenges, body))).toEqual({ status: 422, code, fields }),
  );

  it.each([
    ['an end in the past', { starts_at: LONG_AGO, ends_at: PAST }, 'invalid_range', ['ends_at']],
    ['a start without an offset', { starts_at: '2027-03-28T02:30:00' }, 'validation_failed', ['starts_at']],
    ['an end before the start that stays', { ends_at: LONG_AGO }, 'invalid_range', ['ends_at']],
    ['an unknown time zone', { deadline_timezone: 'Mars' }, 'invalid_timezone', ['deadline_timezone']],
    ['null for the title', { title: null }, 'validation_failed', ['title']],
    ['null for the start', { starts_at: null }, 'validation_failed', ['starts_at']],
    ['null for the reward', { cp_reward: null }, 'validation_failed', ['cp_reward']],
    ['null for the goal', { goal_type: null, goal_target: null }, 'validation_failed', ['goal_type', 'goal_target']],
    ['null for the time zone', { deadline_timezone: null }, 'validation_failed', ['deadline_timezone']],
  ])('is not edited with %s', async (_, body, code, fields) =>
    expect(toProblem(await moderator.patch(await create(), body))).toEqual({ status: 422, code, fields }),
  );
});
