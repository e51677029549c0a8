import { type Api, requireData } from '../../support/api.js';
import type { Service, TestBusiness } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { emailFor, joinAs, signIn, toProblem } from '../community-users.js';

const url = 'https://example.com/glaze.pdf';

describe('A post', () => {
  let service: Service;
  let business: TestBusiness;
  let key: Api;
  let member: Api;
  let community: string;
  let posts: string;
  beforeAll(async () => {
    ({ service, business, key, member, community } = await startCommunity({ memberLevel: 2 }));
    posts = `/v1/community/communities/${community}/posts`;
  });
  afterAll(() => service.stop());

  it('is created with every field by a key as its user', async () => {
    const attachments = [
      { url, type: 'file', name: 'Glaze', mime_type: 'application/pdf', size_bytes: 0, pages: { count: 3 } },
    ];
    const body = {
      content: 'Recipes',
      attachments,
      metadata: { topic: 'glaze' },
      required_level: 3,
      video_url: 'https://example.com/v',
    };

    const answer = await key.post(posts, body);

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^post_[0-9a-z]{26}$/),
      object: 'post',
      community: { object: 'community', id: community },
      author: { object: 'user', id: business.ownerId },
      content: 'Recipes',
      attachments,
      metadata: { topic: 'glaze' },
      required_level: 3,
      locked: false,
      video_url: 'https://example.com/v',
      like_count: 0,
      comment_count: 0,
      is_edited: false,
      created_at: expect.any(String),
      updated_at: answer.body.data.created_at,
      deleted_at: null,
    });
    expect(requireData(await key.get(`/v1/community/posts/${answer.body.data.id}`))).toEqual(answer.body.data);
  });

  it.each([
    ['content', { content: 'x' }],
    ['an attachment', { attachments: [{ url }] }],
    ['a video', { video_url: 'https://example.com/v' }],
    ['the longest content', { content: '🏺'.repeat(20_000) }],
    ['ten attachments', { attachments: Array.from({ length: 10 }, () => ({ url })) }],
    ['the highest level', { content: 'x', required_level: 100 }],
  ])('is created by a member with %s', async (_, body) => expect((await member.post(posts, body)).status).toBe(201));

  it.each([
    ['no fields', {}, 'content_required', ['content']],
    ['only empty fields', { content: '', attachments: [], video_url: null }, 'content_required', ['content']],
    ['metadata only', { metadata: { topic: 'glaze' } }, 'content_required', ['content']],
    ['20001 characters', { content: 'x'.repeat(20_001) }, 'validation_failed', ['content']],
    ['a number as content', { content: 5 }, 'validation_failed', ['content']],
    ['an empty list of attachments', { content: 'x', attachments: [] }, 'validation_failed', ['attachments']],
    [
      'eleven attachments',
      { attachments: Array.from({ length: 11 }, () => ({ url })) },
      'validation_failed',
      ['attachments'],
    ],
    ['a list of attachments as an attachment', { attachments: [[{ url }]] }, 'validation_failed', ['attachments[0]']],
    [
      'an attachment without a url',
      { attachments: [{ url }, { type: 'link' }] },
      'validation_failed',
      ['attachments[1].url'],
    ],
    [
      'an attachment of another type',
      { attachments: [{ url, type: 'dance' }] },
      'validation_failed',
      ['attachments[0].type'],
    ],
    [
      'a long attachment name',
      { attachments: [{ url, name: 'x'.repeat(256) }] },
      'validation_failed',
      ['attachments[0].name'],
    ],
    [
      'an attachment over 8 KiB',
      { attachments: [{ url, more: 'x'.repeat(8 * 1024) }] },
      'validation_failed',
      ['attachments[0]'],
    ],
    ['an empty list as an attachment', { attachments: [[]] }, 'validation_failed', ['attachments[0]']],
    ['a string as an attachment', { attachments: [url] }, 'validation_failed', ['attachments[0]']],
    [
      'metadata over 16 KiB',
      { content: 'x', metadata: { more: 'x'.repeat(16 * 1024) } },
      'validation_failed',
      ['metadata'],
    ],
    [
      'the key __proto__ in its metadata',
      { content: 'x', metadata: JSON.parse('{"a":{"__proto__":1}}') as object },
      'validation_failed',
      ['metadata'],
    ],
    [
      'the key __proto__ in an attachment',
      { attachments: [JSON.parse(`{"url":"${url}","__proto__":1}`) as object] },
      'validation_failed',
      ['attachments[0]'],
    ],
    ['a list as metadata', { content: 'x', metadata: [] }, 'validation_failed', ['metadata']],
    ['level 101', { content: 'x', required_level: 101 }, 'validation_failed', ['required_level']],
    ['a video over http', { video_url: 'http://example.com/v' }, 'validation_failed', ['video_url']],
    ['an unknown field', { content: 'x', title: 'y' }, 'unknown_parameter', ['title']],
  ])('is refused with %s', async (_, body, code, fields) =>
    expect(toProblem(await member.post(posts, body))).toEqual({ status: 422, code, fields }),
  );

  it('cannot be written or read by outsiders', async () => {
    const outsider = await signIn(service, 'olga');
    const otherBusiness = service.createApi(await service.createKey(await service.createBusiness('Another', 'grace')));
    const { id } = requireData(await member.post(posts, { content: 'x' }));

    for (const api of [outsider, otherBusiness]) {
      expect(toProblem(await api.post(posts, { content: 'x' }))).toMatchObject({ status: 403, code: 'not_a_member' });
      expect(toProblem(await api.get(`/v1/community/posts/${id}`))).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  it('is locked for members below its level until they reach the level', async () => {
    const { id } = requireData(
      await key.post(posts, {
        content: 'x',
        attachments: [{ url }],
        metadata: { price: 90 },
        required_level: 3,
        video_url: 'https://example.com/v',
      }),
    );
    const post = `/v1/community/posts/${id}`;

    expect(requireData(await member.get(post))).toMatchObject({
      locked: true,
      content: null,
      attachments: null,
      metadata: {},
      video_url: null,
    });
    const [listed] = requireData(await member.get(posts));
    expect(listed).toMatchObject({ id, locked: true, metadata: {} });
    await key.post(`/v1/community/communities/${community}/points`, { points: 20, target_email: emailFor('mary') });
    expect(requireData(await member.get(post))).toMatchObject({
      locked: false,
      content: 'x',
      attachments: [{ url }],
      metadata: { price: 90 },
    });
  });

  it('is never locked for moderators', async () => {
    const moderator = await joinAs(service, community, 'mo', 'moderator');
    const { id } = requireData(await key.post(posts, { content: 'x', required_level: 100 }));

    expect(requireData(await moderator.get(`/v1/community/posts/${id}`))).toMatchObject({
      locked: false,
      content: 'x',
    });
  });

  it('is not found in an unknown community or by the id of a community', async () => {
    expect((await key.post('/v1/community/communities/com_0/posts', { content: 'x' })).status).toBe(404);
    expect((await key.get(`/v1/community/posts/${community}`)).status).toBe(404);
  });

  it('is refused for an invalid body before its community is read', async () =>
    expect((await key.post('/v1/community/communities/com_0/posts', {})).status).toBe(422));
});
