import { type Api, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { toProblem } from '../community-users.js';

describe('The onboarding of a community', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let tasks: string;
  beforeAll(async () => {
    ({ service, key, moderator, member, community } = await startCommunity());
    tasks = `/v1/community/communities/${community}/onboarding-tasks`;
  });
  afterAll(() => service.stop());

  const readPoints = async (api: Api) => {
    const { id } = (await api.get('/v1/auth/me')).body.data.user;
    return requireData(await api.get(`/v1/community/communities/${community}/members/${id}`)).points as number;
  };

  it('starts with four tasks', async () => {
    const list = async () => requireData(await member.get(tasks));
    const listed = await eventually(list, ({ length }) => length > 3);

    expect(listed.map((task: { key: string }) => task.key).sort()).toEqual([
      'complete_profile',
      'first_post',
      'introduce_yourself',
      'join_channel',
    ]);
    expect(requireData(await member.get(`${tasks}/progress`))).toMatchObject({
      tasks: [{ key: 'complete_profile', status: 'open', completed_at: null }, {}, {}, {}],
      ...{ completed: 0, total: 4, all_completed: false },
    });
  });

  it('pays each task once', async () => {
    const before = await readPoints(member);

    const completed = await member.post(`${tasks}/first_post/complete`);

    expect(completed.status).toBe(200);
    expect(completed.body.data).toEqual({
      object: 'onboarding_task_completion',
      community: { object: 'community', id: community },
      user: { object: 'user', id: expect.any(String) },
      task_key: 'first_post',
      status: 'completed',
      completed_at: expect.any(String),
      points_awarded: 5,
      progress: { completed: 1, total: 4, all_completed: false },
    });
    expect((await member.post(`${tasks}/first_post/complete`)).body.data).toEqual(completed.body.data);
    expect(await readPoints(member)).toBe(before + 5);
  });

  it('pays a task once when many requests complete it at the same time', async () => {
    const before = await readPoints(moderator);

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => moderator.post(`${tasks}/join_channel/complete`)),
    );

    expect(new Set(answers.map(({ body }) => body.data.completed_at)).size).toBe(1);
    expect(await readPoints(moderator)).toBe(before + 5);
  });

  it('has tasks that moderators add and delete', async () => {
    const body = {
      key: 'rules',
      title: 'Read the rules',
      description: 'All',
      position: 9,
      cp_reward: 0,
      required: false,
    };
    const answer = await moderator.post(tasks, body);

    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ object: 'onboarding_task', ...body });
    expect(toProblem(await moderator.post(tasks, body))).toEqual({ status: 422, code: 'key_taken', fields: ['key'] });
    expect(requireData(await member.post(`${tasks}/rules/complete`)).points_awarded).toBe(0);
    const deleted = requireData(await moderator.delete(`${tasks}/rules`));
    expect(deleted).toMatchObject({ key: 'rules', deleted: true, deleted_at: expect.any(String) });
    expect(requireData(await key.delete(`${tasks}/rules`))).toEqual(deleted);
    for (const unknown of [await member.post(`${tasks}/rules/complete`), await moderator.delete(`${tasks}/none`)])
      expect(toProblem(unknown)).toMatchObject({ status: 404, code: 'onboarding_task_not_found' });
    expect(requireData(await member.get(`${tasks}/progress`)).total).toBe(4);
  });

  it.each([
    ['no key', { title: 'x' }, 'validation_failed', ['key']],
    ['a key with a space', { key: 'a b', title: 'x' }, 'validation_failed', ['key']],
    ['the key of the progress', { key: 'progress', title: 'x' }, 'validation_failed', ['key']],
    ['a blank title', { key: 'x', title: ' ' }, 'validation_failed', ['title']],
    ['a negative reward', { key: 'x', title: 'x', cp_reward: -1 }, 'validation_failed', ['cp_reward']],
    ['an unknown field', { key: 'x', title: 'x', icon: 'y' }, 'unknown_parameter', ['icon']],
  ])('refuses a task with %s', async (_, body, code, fields) =>
    expect(toProblem(await moderator.post(tasks, body))).toEqual({ status: 422, code, fields }),
  );
});
