import { type Api, requireData } from '../../support/api.js';
import { type CommunityFixture, startCommunity } from '../community-fixture.js';
import { toProblem } from '../community-users.js';

const INVISIBLE = ['  ', '\u200b', '\u2060\ufeff', '\u00ad \u202e'];
const CONTROLS = ['a\u001b[31m', 'a\rb', 'a\nb', 'a\u0007', 'a\u202eb', 'a\u2066b'];
const MALFORMED = [
  'zw@example.com\u200b.org',
  'z\u200bw@example.com',
  'zw\u00ad@example.com',
  'zw\u202e@example.com',
  'zw\u2060@example.com',
  'x@exam\u200bple.com',
  'x@b\ufffdcher.example',
];

/** URLs that do not show where they lead, or that hold a password. */
const DECEPTIVE_URLS = [
  'https://example.com/\u202egnp.exe',
  'https://example.com/\u2066a',
  'https://example.com/a\u200bb',
  'https://example.com/a\u00adb',
  'https://example.com/a\u0085b',
  'https://user:secret@example.com/a',
  'https://user@example.com/a',
  'https://:secret@example.com/a',
];

describe('The texts of a community', () => {
  let fixture: CommunityFixture;
  let moderator: Api;
  let path: string;
  beforeAll(async () => {
    fixture = await startCommunity();
    ({ moderator, path } = fixture);
  });
  afterAll(() => fixture.service.stop());

  const named = (text: string): [string, string, object][] => [
    ['/v1/community/communities', 'name', { name: text }],
    [`${path}/channels`, 'name', { name: text }],
    [`${path}/challenges`, 'title', { title: text, goal_type: 'posts', goal_target: 1 }],
    [`${path}/library/resources`, 'title', { title: text, file_url: 'https://example.com/a.pdf' }],
    [`${path}/onboarding-tasks`, 'title', { key: 'a_task', title: text }],
  ];

  it.each([...INVISIBLE, ...CONTROLS])('refuse %j as a name or a title', async (text) => {
    for (const [url, field, body] of named(text))
      expect(toProblem(await moderator.post(url, body))).toMatchObject({ status: 422, fields: [field] });
  });

  it.each(INVISIBLE)('refuse %j as the content of a post, a comment or a message', async (content) => {
    const post = requireData(await moderator.post(`${path}/posts`, { content: 'Glaze' })).id as string;
    const [{ id: channel }] = requireData(await moderator.get(`${path}/channels`));
    const refused = { status: 422, code: 'content_required', fields: ['content'] };
    const attempts = [
      moderator.post(`${path}/posts`, { content }),
      moderator.patch(`/v1/community/posts/${post}`, { content }),
      moderator.post(`/v1/community/posts/${post}/comments`, { content }),
      moderator.post(`/v1/community/channels/${channel}/messages`, { content }),
    ];

    for (const attempt of attempts) expect(toProblem(await attempt)).toEqual(refused);
    expect(requireData(await moderator.get(`/v1/community/posts/${post}`))).toMatchObject({
      content: 'Glaze',
      comment_count: 0,
    });
  });

  it.each(DECEPTIVE_URLS)('refuse the URL %j of a cover, an attachment, a video or a file', async (url) => {
    const attempts: [string, object, string][] = [
      ['/v1/community/communities', { name: 'Pots', cover_image_url: url }, 'cover_image_url'],
      [`${path}/posts`, { attachments: [{ url }] }, 'attachments[0].url'],
      [`${path}/posts`, { video_url: url }, 'video_url'],
      [`${path}/library/resources`, { title: 'Glazes', file_url: url }, 'file_url'],
    ];
    for (const [target, body, field] of attempts)
      expect(toProblem(await moderator.post(target, body))).toMatchObject({ status: 422, fields: [field] });
  });

  it('keep content as it was sent', async () => {
    const content = '  A pot\n\n\tfired \u200b twice  ';
    expect(requireData(await moderator.post(`${path}/posts`, { content })).content).toBe(content);
  });

  it('keep letters that join, and trim names', async () => {
    const name = ' 👨\u200d👩\u200d👧 نام\u200cه ';
    expect(requireData(await moderator.post(`${path}/channels`, { name })).name).toBe(name.trim());
  });

  it('compare the names of channels in one form of accents', async () => {
    const { id } = requireData(await moderator.post(`${path}/channels`, { name: 'Nêws' }));
    const taken = { status: 422, code: 'name_taken', fields: ['name'] };

    expect(toProblem(await moderator.post(`${path}/channels`, { name: 'NE\u0302WS' }))).toEqual(taken);
    const other = requireData(await moderator.post(`${path}/channels`, { name: 'News' })).id as string;
    expect(toProblem(await moderator.patch(`/v1/community/channels/${other}`, { name: 'ne\u0302ws' }))).toEqual(taken);
    expect((await moderator.patch(`/v1/community/channels/${id}`, { name: 'Ne\u0302ws' })).status).toBe(200);
  });

  it.each(MALFORMED)('refuse the address %j, of which nobody sees every character', async (email) => {
    const refused = { status: 422, code: 'validation_failed' };
    expect(toProblem(await moderator.post(`${path}/invites`, { email }))).toMatchObject({
      ...refused,
      fields: ['email'],
    });
    expect(toProblem(await moderator.post(`${path}/points`, { points: 1, target_email: email }))).toMatchObject({
      ...refused,
      fields: ['target_email'],
    });
    const [row] = requireData(await fixture.key.post(`${path}/members/import`, { members: [{ email }] })).results;
    expect(row).toMatchObject({ status: 'failed', error: { code: 'invalid_email' } });
  });

  it('know a domain in both of its forms as one', async () => {
    const members = [{ email: 'x@bücher.example' }, { email: 'x@xn--bcher-kva.example' }];
    const { results } = requireData(await fixture.key.post(`${path}/members/import`, { members }));
    expect(results).toMatchObject([
      { status: 'created' },
      { status: 'failed', error: { code: 'duplicate_in_request' } },
    ]);

    const again = { members: [{ email: 'X@XN--BCHER-KVA.example' }] };
    const [row] = requireData(await fixture.key.post(`${path}/members/import`, again)).results;
    expect(row).toMatchObject({ status: 'unchanged', member_id: results[0].member_id });
  });
});
