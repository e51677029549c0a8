import { type Api, requireData } from '../../support/api.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { createCommunity, emailFor, joinAs, toProblem } from '../community-users.js';

describe('A published post', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let author: Api;
  let member: Api;
  let community: string;
  beforeAll(async () => {
    ({ service, key, moderator, member, community } = await startCommunity());
    author = await joinAs(service, community, 'ann', 'member');
  });
  afterAll(() => service.stop());

  async function publish(body: object = { content: 'Glaze' }, as = author) {
    const { id } = requireData(await as.post(`/v1/community/communities/${community}/posts`, body));
    return `/v1/community/posts/${id}`;
  }

  it('is edited by its author', async () => {
    const post = await publish({ content: 'Glaze', video_url: 'https://example.com/v' });

    const edited = requireData(await author.patch(post, { content: 'Slips', video_url: null, required_level: 2 }));

    expect(edited).toMatchObject({ content: 'Slips', video_url: null, required_level: 2, is_edited: true });
    expect(requireData(await author.get(post))).toEqual(edited);
  });

  it('is edited by nobody else', async () => {
    const post = await publish();

    for (const api of [key, moderator, member])
      expect(toProblem(await api.patch(post, { content: 'x' }))).toMatchObject({ status: 403 });
  });

  it('keeps some content', async () =>
    expect(toProblem(await author.patch(await publish(), { content: null }))).toEqual({
      status: 422,
      code: 'content_required',
      fields: ['content'],
    }));

  it('is deleted by its author or a moderator, and hidden from other members', async () => {
    for (const api of [author, moderator, key]) {
      const post = await publish();

      const deleted = requireData(await api.delete(post));

      expect(deleted).toMatchObject({ content: null, deleted: true, deleted_at: expect.any(String) });
      expect(requireData(await api.delete(post))).toEqual(deleted);
      expect(requireData(await author.get(post))).toMatchObject({ content: null, deleted_at: deleted.deleted_at });
      for (const answer of [await member.get(post), await member.delete(post), await member.put(`${post}/like`)])
        expect(answer.status).toBe(404);
    }
  });

  it('is deleted by the author or above only', async () => {
    expect(toProblem(await member.delete(await publish()))).toMatchObject({ code: 'permission_denied' });
    expect(toProblem(await moderator.delete(await publish(undefined, key)))).toMatchObject({
      code: 'permission_denied',
    });
  });

  it('is restored by a moderator with its content', async () => {
    const post = await publish();
    await author.delete(post);

    expect(toProblem(await author.post(`${post}/restore`))).toMatchObject({ status: 403, code: 'permission_denied' });
    for (let times = 0; times < 2; times++) {
      const answer = await moderator.post(`${post}/restore`);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ content: 'Glaze', deleted_at: null });
    }
    expect(requireData(await member.get(post))).toMatchObject({ content: 'Glaze' });
  });

  it('counts each user who likes it once', async () => {
    const post = await publish();

    expect(requireData(await member.put(`${post}/like`)).like_count).toBe(1);
    expect(requireData(await member.put(`${post}/like`)).like_count).toBe(1);
    expect(requireData(await moderator.put(`${post}/like`)).like_count).toBe(2);
    expect(requireData(await member.delete(`${post}/like`)).like_count).toBe(1);
    expect(requireData(await author.patch(post, { content: 'Slips' })).like_count).toBe(1);
  });

  it('counts its comments and lists them, deleted ones without content', async () => {
    const post = await publish();
    const first = requireData(await member.post(`${post}/comments`, { content: 'Which cone?' }));
    const reply = requireData(await author.post(`${post}/comments`, { content: 'Six', parent_comment_id: first.id }));

    const deleted = requireData(await member.delete(`/v1/community/comments/${first.id}`));

    const { deleted_by: by, ...tombstone } = deleted;
    expect(tombstone).toMatchObject({ content: null, deleted: true, deleted_at: expect.any(String) });
    expect(by).toEqual(first.author);
    expect(requireData(await member.delete(`/v1/community/comments/${first.id}`))).toEqual(deleted);
    const { body } = await member.get(`${post}/comments`);
    expect(body.data).toEqual([reply, tombstone]);
    expect(body.pagination.total_count).toBe(2);
    expect(requireData(await member.get(post)).comment_count).toBe(1);
  });

  it.each([
    ['no content', {}, 'validation_failed', ['content']],
    ['empty content', { content: '' }, 'validation_failed', ['content']],
    ['5001 characters', { content: 'x'.repeat(5_001) }, 'validation_failed', ['content']],
    ['an unknown comment', { content: 'x', parent_comment_id: 'cmt_0' }, 'reply_target_invalid', ['parent_comment_id']],
  ])('refuses a comment with %s', async (_, body, code, fields) =>
    expect(toProblem(await member.post(`${await publish()}/comments`, body))).toEqual({ status: 422, code, fields }),
  );

  it('refuses the deletion of another member’s comment', async () => {
    const { id } = requireData(await author.post(`${await publish()}/comments`, { content: 'Six' }));

    expect(toProblem(await member.delete(`/v1/community/comments/${id}`))).toMatchObject({ code: 'permission_denied' });
  });

  it('refuses likes and comments below its level', async () => {
    const post = await publish({ content: 'Glaze', required_level: 3 });

    for (const answer of [
      await member.put(`${post}/like`),
      await member.delete(`${post}/like`),
      await member.post(`${post}/comments`, { content: 'x' }),
      await member.get(`${post}/comments`),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 403, code: 'insufficient_level' });
    await key.post(`/v1/community/communities/${community}/points`, { points: 20, target_email: emailFor('mary') });
    expect((await member.put(`${post}/like`)).status).toBe(200);
  });

  it('hides its comments below its level, also from their authors', async () => {
    const post = await publish();
    const own = requireData(await member.post(`${post}/comments`, { content: 'Six' })) as { id: string };
    const other = requireData(await key.post(`${post}/comments`, { content: 'Seven' })) as { id: string };
    requireData(await author.patch(post, { required_level: 90 }));

    for (const { id } of [own, other]) expect((await member.delete(`/v1/community/comments/${id}`)).status).toBe(404);
    requireData(await author.patch(post, { required_level: 0 }));
    expect((await member.delete(`/v1/community/comments/${own.id}`)).status).toBe(200);
  });

  it('is open to its author below its level', async () => {
    const post = await publish({ content: 'Glaze', required_level: 90 });
    const comment = requireData(await key.post(`${post}/comments`, { content: 'Which cone?' }));

    expect(requireData(await author.get(post))).toMatchObject({ locked: false, content: 'Glaze' });
    expect(requireData(await author.get(`${post}/comments`))).toEqual([comment]);
    expect((await author.post(`${post}/comments`, { content: 'Six' })).status).toBe(201);
    expect((await author.put(`${post}/like`)).status).toBe(200);
    for (const url of [`${post}/comments`, post])
      expect(JSON.stringify((await member.get(url)).body)).not.toContain('Which cone?');
  });

  it('is open to an author who wrote it as a moderator, below the level of now', async () => {
    const former = await joinAs(service, community, 'fay', 'moderator');
    const post = await publish({ content: 'Kiln', required_level: 90 }, former);
    const { id } = requireData(await former.get('/v1/auth/me')).user;
    await key.patch(`/v1/community/communities/${community}/members/${id}`, { role: 'member' });

    expect((await former.post(`${post}/comments`, { content: 'Mine' })).status).toBe(201);
    expect(requireData(await former.get(`${post}/comments`))).toHaveLength(1);
    expect(requireData(await former.patch(post, { content: 'Kilns' }))).toMatchObject({ content: 'Kilns' });
  });

  it('is listed as open to its author, and not to who has commented on it', async () => {
    const other = (await createCommunity(key, { name: 'Turners' })).id;
    const list = `/v1/community/communities/${other}/posts`;
    const [writer, reader] = [
      await joinAs(service, other, 'ann', 'member'),
      await joinAs(service, other, 'rob', 'member'),
    ];
    const { id } = requireData(await writer.post(list, { content: 'Bowl' }));
    const post = `/v1/community/posts/${id}`;
    requireData(await reader.post(`${post}/comments`, { content: 'Nice' }));
    await writer.patch(post, { required_level: 90 });

    const contents = await Promise.all(
      [writer, reader].map(async (api) => requireData(await api.get(list))[0].content),
    );
    expect(contents).toEqual(['Bowl', null]);
    for (const api of [writer, reader])
      expect((await api.get(`${post}/comments`)).status).toBe(api === writer ? 200 : 403);
  });

  it('is listed newest first, without deleted ones, and locked below its level', async () => {
    const other = (await createCommunity(key, { name: 'Weavers' })).id;
    const list = `/v1/community/communities/${other}/posts`;
    const reader = await joinAs(service, other, 'rita', 'member');
    const [open, locked, gone] = [
      requireData(await key.post(list, { content: 'open' })),
      requireData(await key.post(list, { content: 'locked', required_level: 5 })),
      requireData(await key.post(list, { content: 'gone' })),
    ];
    await key.delete(`/v1/community/posts/${gone.id}`);

    const { body } = await reader.get(`${list}?per_page=100`);

    expect(body.data).toEqual([{ ...locked, locked: true, content: null, attachments: null }, open]);
    expect(body.pagination).toEqual({ total_pages: 1, current_page: 1, per_page: 100, total_count: 2 });
  });
});
