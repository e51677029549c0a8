import { type Api, requireData } from '../../support/api.js';
import { type CommunityFixture, startCommunity } from '../community-fixture.js';
import { emailFor, signIn, toProblem } from '../community-users.js';

type Method = 'get' | 'patch' | 'put' | 'delete' | 'post';
type Request = readonly [Method, string, object?];

describe('What a member cannot see', () => {
  let fixture: CommunityFixture;
  let key: Api;
  let member: Api;
  let path: string;
  beforeAll(async () => {
    fixture = await startCommunity();
    ({ key, member, path } = fixture);
  });
  afterAll(() => fixture.service.stop());

  const create = async (list: string, body: object) =>
    requireData(await key.post(`${path}/${list}`, body)).id as string;

  /** Creates the thing, and returns what can be requested of it. */
  const hidden: Record<string, () => Promise<Request[]>> = {
    'a private channel': async () => {
      const channel = `/v1/community/channels/${await create('channels', { name: 'Staff', visibility: 'private' })}`;
      const message = requireData(await key.post(`${channel}/messages`, { content: 'x' })).id as string;
      return [
        ...listRequests(channel, { description: 'x' }),
        ['get', `${channel}/messages`],
        ['post', `${channel}/messages`, { content: 'x' }],
        ...listRequests(`/v1/community/messages/${message}`, { content: 'x' }),
      ];
    },
    'a deleted channel': async () => {
      const channel = `/v1/community/channels/${await create('channels', { name: 'Past' })}`;
      await key.delete(channel);
      return [...listRequests(channel, { description: 'x' }), ['get', `${channel}/messages`]];
    },
    'a cancelled challenge': async () => {
      const id = await create('challenges', { title: 'Pots', goal_type: 'posts', goal_target: 1 });
      await key.delete(`/v1/community/challenges/${id}`);
      const challenge = `/v1/community/challenges/${id}`;
      return [
        ...listRequests(challenge, { title: 'x' }),
        ['post', `${challenge}/join`],
        ['get', `${challenge}/progress`],
      ];
    },
    'the invite of somebody else': async () => {
      const invite = `/v1/community/invites/${await create('invites', { email: emailFor('ina') })}`;
      return [
        ['get', invite],
        ['delete', invite],
        ['post', `${invite}/resend`],
        ['post', `${invite}/accept`],
        ['post', `${invite}/decline`],
      ];
    },
    'a deleted post of somebody else': async () => {
      const post = `/v1/community/posts/${await create('posts', { content: 'x' })}`;
      await key.delete(post);
      return [
        ...listRequests(post, { content: 'y' }),
        ['post', `${post}/restore`],
        ['post', `${post}/comments`, { content: 'y' }],
        ['put', `${post}/like`],
      ];
    },
    'a deleted library resource': async () => {
      const file = { title: 'Glazes', file_url: 'https://example.com/a.pdf' };
      const resource = `/v1/community/library/resources/${await create('library/resources', file)}`;
      await key.delete(resource);
      return [...listRequests(resource, { title: 'x' }), ['post', `${resource}/downloads`]];
    },
  };

  it.each(Object.keys(hidden))('is not found by any method: %s', async (thing) => {
    const unknown = (await member.get('/v1/community/posts/post_0')).body as { detail: string };

    for (const [method, url, body] of await hidden[thing]!()) {
      const answer = await send(member, method, url, body);
      expect([method, url, toProblem(answer)]).toEqual([method, url, { status: 404, code: 'not_found', fields: [] }]);
      expect(answer.body.detail).toBe(unknown.detail);
    }
  });

  it('is refused when it can be seen and not be changed', async () => {
    const ina = await signIn(fixture.service, 'ina');
    const channel = await create('channels', { name: 'Open' });
    const challenge = await create('challenges', { title: 'Pots', goal_type: 'posts', goal_target: 1 });
    const post = await create('posts', { content: 'x' });
    const invite = await create('invites', { email: emailFor('ina') });

    for (const [api, method, url] of [
      [member, 'delete', `/v1/community/channels/${channel}`],
      [member, 'delete', `/v1/community/challenges/${challenge}`],
      [member, 'delete', `/v1/community/posts/${post}`],
      [member, 'post', `/v1/community/posts/${post}/restore`],
      [ina, 'delete', `/v1/community/invites/${invite}`],
      [ina, 'post', `/v1/community/invites/${invite}/resend`],
    ] as const)
      expect([url, (await api[method](url)).status]).toEqual([url, 403]);
  });

  it('is deleted once more by those who see it', async () => {
    const post = `/v1/community/posts/${requireData(await member.post(`${path}/posts`, { content: 'Mine' })).id}`;
    await member.delete(post);

    expect((await member.delete(post)).status).toBe(200);
    expect((await key.delete(post)).status).toBe(200);
  });
});

function send(api: Api, method: Method, url: string, body?: object) {
  return method === 'post' || method === 'patch' ? api[method](url, body) : api[method](url);
}

function listRequests(url: string, change: object): Request[] {
  return [
    ['get', url],
    ['patch', url, change],
    ['delete', url],
  ];
}
