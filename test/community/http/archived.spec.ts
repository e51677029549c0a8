import { type Api, requireData } from '../../support/api.js';
import { type CommunityFixture, populateCommunity, startCommunity } from '../community-fixture.js';
import { toProblem } from '../community-users.js';

describe('An archived community', () => {
  let fixture: CommunityFixture;
  let key: Api;
  beforeAll(async () => {
    fixture = await startCommunity();
    ({ key } = fixture);
  });
  afterAll(() => fixture.service.stop());

  /** Creates a community with content, and archives it. */
  async function archive() {
    const { path, member, moderator } = await populateCommunity(fixture.service, key);
    const create = async (list: string, body: object) =>
      requireData(await key.post(`${path}/${list}`, body)).id as string;
    const channel = `/v1/community/channels/${await create('channels', { name: 'News' })}`;
    const post = requireData(await member.post(`${path}/posts`, { content: 'x' })).id as string;
    const comment = requireData(await member.post(`/v1/community/posts/${post}/comments`, { content: 'x' }))
      .id as string;
    const message = requireData(await member.post(`${channel}/messages`, { content: 'x' })).id as string;
    const challenge = await create('challenges', { title: 'Pots', goal_type: 'posts', goal_target: 1 });
    const resource = await create('library/resources', { title: 'A', file_url: 'https://example.com/a.pdf' });
    expect(requireData(await key.post(`${path}/archive`)).status).toBe('archived');
    const memberId = requireData(await member.get('/v1/auth/me')).user.id as string;
    const content = {
      message: `/v1/community/messages/${message}`,
      comment: `/v1/community/comments/${comment}`,
      post: `/v1/community/posts/${post}`,
      channel,
      challenge: `/v1/community/challenges/${challenge}`,
      resource: `/v1/community/library/resources/${resource}`,
      task: `${path}/onboarding-tasks/first_post`,
    };
    return { path, member, moderator, content, memberId, memberPath: `${path}/members/${memberId}` };
  }

  it('can be read, and refuses every write', async () => {
    const { path, member, moderator, content, memberId, memberPath } = await archive();
    const file = { title: 'B', file_url: 'https://example.com/b.pdf' };

    for (const list of ['posts', 'channels', 'members', 'challenges', 'library/resources', 'leaderboard'])
      expect((await member.get(`${path}/${list}`)).status).toBe(200);
    for (const answer of [
      await member.post(`${path}/posts`, { content: 'x' }),
      await member.patch(content.post, { content: 'y' }),
      await member.put(`${content.post}/like`),
      await member.delete(`${content.post}/like`),
      await member.post(`${content.post}/comments`, { content: 'y' }),
      await member.post(`${content.channel}/messages`, { content: 'y' }),
      await member.patch(content.message, { content: 'y' }),
      await member.post(`${content.challenge}/join`),
      await member.post(`${content.resource}/downloads`),
      await member.post(`${content.task}/complete`),
      await moderator.post(`${path}/channels`, { name: 'x' }),
      await moderator.patch(content.channel, { name: 'x' }),
      await moderator.post(`${content.post}/restore`),
      await moderator.post(`${path}/challenges`, { title: 'Cups', goal_type: 'posts', goal_target: 1 }),
      await moderator.patch(content.challenge, { title: 'y' }),
      await moderator.post(`${path}/library/resources`, file),
      await moderator.patch(content.resource, { title: 'y' }),
      await key.put(`${memberPath}/expert-badge`),
      await key.delete(`${memberPath}/expert-badge`),
      await key.post(`${path}/transfer`, { user_id: memberId }),
      await key.patch(memberPath, { role: 'moderator' }),
      await key.patch(path, { name: 'x' }),
      await key.post(`${path}/members/import`, { members: [{ email: 'a@example.com' }] }),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 422, code: 'community_archived' });
  });

  it('can be left, and joined again only when it is open', async () => {
    const { path, member } = await archive();

    expect(requireData(await member.post(`${path}/leave`)).status).toBe('removed');
    expect(toProblem(await member.post(`${path}/join`))).toMatchObject({ status: 422, code: 'community_archived' });
  });

  it('can be cleaned up: its content deleted, its members removed', async () => {
    const { content, member, moderator, memberPath } = await archive();
    const { message, comment, post, ...others } = content;

    for (const url of [message, comment, post]) expect((await member.delete(url)).status).toBe(200);
    for (const url of Object.values(others)) expect((await moderator.delete(url)).status).toBe(200);
    expect(requireData(await moderator.delete(memberPath)).status).toBe('removed');
    expect((await member.get(post)).status).toBe(404);
  });

  it('is reopened by its owner alone', async () => {
    const { path, moderator, member } = await archive();
    const status = { status: 'active' };

    expect(toProblem(await moderator.patch(path, status))).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(requireData(await key.patch(path, { ...status, name: 'Again' }))).toMatchObject({
      ...status,
      name: 'Again',
    });
    expect((await key.patch(path, status)).status).toBe(200);
    expect((await member.post(`${path}/posts`, { content: 'x' })).status).toBe(201);
    expect(requireData(await key.get(path))).toMatchObject({ ...status, name: 'Again' });
  });

  it('stays archived when the edit is refused', async () => {
    const { path } = await archive();

    for (const wrong of [{ tier: 'paid' }, { levels: [{ level: 1, points: 1 }] }])
      expect((await key.patch(path, { status: 'active', ...wrong })).status).toBe(422);
    expect(toProblem(await key.patch(path, { status: 'archived' }))).toMatchObject({ status: 422, fields: ['status'] });

    expect(requireData(await key.get(path)).status).toBe('archived');
  });
});
