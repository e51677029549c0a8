import { type Api, requireData } from '../../support/api.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { createCommunity, signIn, toProblem } from '../community-users.js';

describe('A channel', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let channels: string;
  beforeAll(async () => {
    ({ service, key, moderator, member, community } = await startCommunity());
    channels = `/v1/community/communities/${community}/channels`;
  });
  afterAll(() => service.stop());

  const open = async (body: object) => `/v1/community/channels/${requireData(await moderator.post(channels, body)).id}`;

  it('exists in every new community: the default one', async () => {
    const { body } = await key.get(`/v1/community/communities/${(await createCommunity(key)).id}/channels`);

    expect(body.data).toEqual([
      expect.objectContaining({ object: 'channel', name: 'general', is_default: true, visibility: 'public' }),
    ]);
    const problem = await key.delete(`/v1/community/channels/${body.data[0].id}`);
    expect(toProblem(problem)).toMatchObject({ status: 422, code: 'default_channel_protected' });
  });

  it('is created with every field, edited and found again', async () => {
    const fields = { name: 'Kilns', description: 'Firing', visibility: 'public', who_can_post: 'moderators' };
    const answer = await moderator.post(channels, { ...fields, required_level: 0 });

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^chan_[0-9a-z]{26}$/),
      object: 'channel',
      community: { object: 'community', id: community },
      ...fields,
      required_level: 0,
      is_default: false,
      created_by: { object: 'user', id: expect.any(String) },
      created_at: expect.any(String),
      deleted_at: null,
    });
    const channel = `/v1/community/channels/${answer.body.data.id}`;
    const edited = requireData(await moderator.patch(channel, { name: 'Ovens', description: null }));
    expect(edited).toEqual({ ...answer.body.data, name: 'Ovens', description: null });
    expect(requireData(await member.get(channel))).toEqual(edited);
  });

  it('has a name of its own until it is renamed or deleted', async () => {
    const first = await open({ name: 'Glazes' });
    const taken = { status: 422, code: 'name_taken', fields: ['name'] };

    expect(toProblem(await moderator.post(channels, { name: 'glazes' }))).toEqual(taken);
    expect(toProblem(await moderator.patch(await open({ name: 'Slips' }), { name: 'GLAZES' }))).toEqual(taken);
    await moderator.patch(first, { name: 'Colours' });
    const second = await open({ name: 'Glazes' });
    expect(toProblem(await moderator.patch(first, { name: 'Glazes' }))).toEqual(taken);
    await moderator.delete(second);
    expect((await moderator.patch(first, { name: 'Glazes' })).status).toBe(200);
  });

  it('gives its name to one of many requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => moderator.post(channels, { name: 'Rush' })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)]);
  });

  it('is visible to moderators only when it is private', async () => {
    const channel = await open({ name: 'Staff', visibility: 'private' });

    expect((await moderator.get(channel)).status).toBe(200);
    for (const answer of [
      await member.get(channel),
      await member.get(`${channel}/messages`),
      await member.post(`${channel}/messages`, { content: 'x' }),
    ])
      expect(answer.status).toBe(404);
    const names = async (api: Api) =>
      (await api.get(`${channels}?per_page=100`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names(moderator)).toContain('Staff');
    expect(await names(member)).not.toContain('Staff');
  });

  it('stays visible when it is the default channel', async () => {
    const listed = requireData(await moderator.get(`${channels}?per_page=100`)) as {
      id: string;
      is_default: boolean;
    }[];
    const channel = `/v1/community/channels/${listed.find(({ is_default }) => is_default)!.id}`;
    const refused = { status: 422, code: 'default_channel_protected' };

    expect(toProblem(await moderator.patch(channel, { visibility: 'private' }))).toMatchObject(refused);
    expect(toProblem(await moderator.delete(channel))).toMatchObject(refused);
    expect((await moderator.patch(channel, { visibility: 'public', who_can_post: 'moderators' })).status).toBe(200);
    expect((await member.get(channel)).status).toBe(200);
  });

  it('is hidden with its messages after its deletion, and is deleted once', async () => {
    const channel = await open({ name: 'Raku' });
    const { id } = requireData(await member.post(`${channel}/messages`, { content: 'x' }));

    const deleted = requireData(await moderator.delete(channel));

    expect(deleted).toMatchObject({ name: 'Raku', deleted: true, deleted_at: expect.any(String) });
    expect(requireData(await key.delete(channel))).toEqual(deleted);
    for (const answer of [
      await moderator.get(channel),
      await moderator.patch(channel, { name: 'x' }),
      await member.get(`${channel}/messages`),
      await member.get(`/v1/community/messages/${id}`),
    ])
      expect(answer.status).toBe(404);
  });

  it.each([
    ['no name', {}, 'validation_failed', ['name']],
    ['a blank name', { name: '  ' }, 'validation_failed', ['name']],
    ['81 characters', { name: 'x'.repeat(81) }, 'validation_failed', ['name']],
    ['a long description', { name: 'x', description: 'x'.repeat(501) }, 'validation_failed', ['description']],
    ['another visibility', { name: 'x', visibility: 'secret' }, 'validation_failed', ['visibility']],
    ['other posters', { name: 'x', who_can_post: 'me' }, 'validation_failed', ['who_can_post']],
    ['level 101', { name: 'x', required_level: 101 }, 'validation_failed', ['required_level']],
    ['an unknown field', { name: 'x', topic: 'y' }, 'unknown_parameter', ['topic']],
  ])('is refused with %s', async (_, body, code, fields) =>
    expect(toProblem(await moderator.post(channels, body))).toEqual({ status: 422, code, fields }),
  );

  it('requires a level to be read', async () => {
    const channel = await open({ name: 'Masters', required_level: 3 });
    const { id } = requireData(await moderator.post(`${channel}/messages`, { content: 'x' }));
    const message = `/v1/community/messages/${id}`;

    for (const answer of [
      await member.get(channel),
      await member.get(`${channel}/messages`),
      await member.post(`${channel}/messages`, { content: 'y', reply_to: id }),
    ])
      expect(toProblem(answer)).toMatchObject({ status: 403, code: 'insufficient_level' });
    for (const answer of [
      await member.get(message),
      await member.patch(message, { content: 'y' }),
      await member.delete(message),
    ])
      expect(answer.status).toBe(404);
    expect((await moderator.get(channel)).status).toBe(200);
  });

  it('hides the messages of a member whose level it has passed', async () => {
    const channel = await open({ name: 'Novices' });
    const { id } = requireData(await member.post(`${channel}/messages`, { content: 'x' }));
    const own = `/v1/community/messages/${id}`;
    requireData(await moderator.patch(channel, { required_level: 90 }));

    for (const answer of [await member.get(own), await member.patch(own, { content: 'y' }), await member.delete(own)])
      expect(answer.status).toBe(404);
    requireData(await moderator.patch(channel, { required_level: 0 }));
    expect(requireData(await member.get(own)).content).toBe('x');
  });

  describe('has messages that', () => {
    let channel: string;
    beforeAll(async () => {
      channel = await open({ name: 'Talk' });
    });

    const say = async (body: object, as = member) => requireData(await as.post(`${channel}/messages`, body));

    it('are sent, edited by their author and listed newest first', async () => {
      const first = await say({ content: 'Which cone?' });
      const second = await say({ attachments: [{ url: 'https://example.com/6' }], reply_to: first.id }, moderator);

      const edited = requireData(await member.patch(`/v1/community/messages/${first.id}`, { content: 'Which?' }));

      expect(edited).toMatchObject({ content: 'Which?', is_edited: true, deleted: false, reply_to: null });
      expect(second.reply_to).toEqual({ object: 'message', id: first.id });
      expect((await member.get(`${channel}/messages`)).body).toEqual({
        data: [second, edited],
        pagination: { next_cursor: null, has_more: false },
      });
      const { body } = await member.get(`${channel}/messages?limit=1`);
      expect((await member.get(`${channel}/messages?after=${body.pagination.next_cursor}`)).body.data).toEqual([
        edited,
      ]);
    });

    it('remain as tombstones after their deletion', async () => {
      const { id } = await say({ content: 'Oops' });
      const message = `/v1/community/messages/${id}`;

      const deleted = requireData(await member.delete(message));

      expect(deleted).toMatchObject({ content: null, attachments: [], deleted: true, deleted_at: expect.any(String) });
      expect(requireData(await moderator.delete(message))).toEqual(deleted);
      expect(requireData(await member.get(message))).toEqual(deleted);
      expect((await member.get(`${channel}/messages?limit=1`)).body.data).toEqual([deleted]);
      expect((await member.patch(message, { content: 'x' })).status).toBe(404);
    });

    it('are edited by nobody else, and deleted by moderators', async () => {
      const message = `/v1/community/messages/${(await say({ content: 'Mine' })).id}`;
      const ownersMessage = `/v1/community/messages/${(await say({ content: 'Rules' }, key)).id}`;

      for (const answer of [
        await moderator.patch(message, { content: 'x' }),
        await key.patch(message, { content: 'x' }),
        await moderator.delete(ownersMessage),
        await member.delete(ownersMessage),
      ])
        expect(toProblem(answer)).toMatchObject({ status: 403, code: 'permission_denied' });
      expect((await moderator.delete(message)).status).toBe(200);
    });

    it('are restricted to moderators where the channel says so', async () => {
      const news = await open({ name: 'News', who_can_post: 'moderators' });

      const refused = await member.post(`${news}/messages`, { content: 'x' });

      expect(toProblem(refused)).toMatchObject({ status: 403, code: 'posting_restricted' });
      expect((await moderator.post(`${news}/messages`, { content: 'x' })).status).toBe(201);
    });

    it('are not found by outsiders', async () => {
      const outsider = await signIn(service, 'olga');
      const { id } = await say({ content: 'x' });

      for (const path of [channel, `${channel}/messages`, `/v1/community/messages/${id}`])
        expect((await outsider.get(path)).status).toBe(404);
    });

    it.each([
      ['no fields', {}, 'content_required', ['content']],
      ['empty fields', { content: '', attachments: [] }, 'content_required', ['content']],
      ['4001 characters', { content: 'x'.repeat(4_001) }, 'validation_failed', ['content']],
      ['an unknown reply target', { content: 'x', reply_to: 'msg_0' }, 'reply_target_invalid', ['reply_to']],
    ])('are refused with %s', async (_, body, code, fields) =>
      expect(toProblem(await member.post(`${channel}/messages`, body))).toEqual({ status: 422, code, fields }),
    );

    it('are refused as edits without content', async () => {
      const { id } = await say({ content: 'x' });

      expect(toProblem(await member.patch(`/v1/community/messages/${id}`, { content: null }))).toMatchObject({
        code: 'content_required',
      });
    });
  });
});
