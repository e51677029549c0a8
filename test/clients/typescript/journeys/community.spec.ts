import { type Client, createClient, isProblem } from '../../../../clients/typescript/src/index.ts';
import { type Service, startService } from '../../../support/service.js';

describe('A community that uses the client', () => {
  let service: Service;
  let owner: Client;
  let member: Client;
  beforeAll(async () => {
    service = await startService();
    const apiKey = await service.createKey(await service.createBusiness());
    owner = createClient({ baseUrl: service.url, apiKey });
    const token = await service.signToken('mary', { email: 'mary@example.com' });
    member = createClient({ baseUrl: service.url, apiKey: token });
  });
  afterAll(() => service.stop());

  it('invites a member, who posts, comments and earns points', async () => {
    const { id } = await owner.community.communities.create({ name: 'Gardeners', tier: 'free' });
    const invite = await owner.community.invites.create(id, { email: 'mary@example.com' });
    expect((await member.community.invites.accept(invite.id)).status).toBe('accepted');

    const post = await member.community.posts.create(id, { content: 'Hello' });
    expect((await owner.community.posts.like(post.id)).like_count).toBe(1);
    for (const content of ['one', 'two', 'three']) await owner.community.comments.create(post.id, { content });
    const comments = await Array.fromAsync(owner.community.comments.list(post.id, { per_page: 2 }));
    expect(comments.map(({ content }) => content).sort()).toEqual(['one', 'three', 'two']);

    const award = { points: 10, source_type: 'post', source_id: post.id, target_email: 'mary@example.com' };
    await owner.community.points.award(id, award);
    const [first] = await Array.fromAsync(owner.community.leaderboard.list(id));
    expect(first).toMatchObject({ points: 10 });

    const refusal: unknown = await member.community.channels
      .create(id, { name: 'News' })
      .catch((error: unknown) => error);
    expect(isProblem(refusal, 'permission_denied')).toBe(true);
  });

  it('reads messages slice by slice', async () => {
    const { id } = await owner.community.communities.create({ name: 'Readers', tier: 'free' });
    const channel = await owner.community.channels.create(id, { name: 'News' });
    for (let count = 1; count <= 5; count++) await owner.community.messages.send(channel.id, { content: `${count}` });
    const messages = await Array.fromAsync(owner.community.messages.list(channel.id, { limit: 2 }));

    expect(messages.map(({ content }) => content).sort()).toEqual(['1', '2', '3', '4', '5']);
  });
});
