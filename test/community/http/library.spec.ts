import { type Api, requireData } from '../../support/api.js';
import type { Service } from '../../support/service.js';
import { startCommunity } from '../community-fixture.js';
import { emailFor, signIn, toProblem } from '../community-users.js';

const FILE = { title: 'Glazes', file_url: 'https://example.com/glazes.pdf' };

describe('A library resource', () => {
  let service: Service;
  let key: Api;
  let moderator: Api;
  let member: Api;
  let community: string;
  let library: string;
  beforeAll(async () => {
    ({ service, key, moderator, member, community } = await startCommunity());
    library = `/v1/community/communities/${community}/library/resources`;
  });
  afterAll(() => service.stop());

  const add = async (body: object = FILE) => {
    const { id } = requireData(await moderator.post(library, body));
    return `/v1/community/library/resources/${id}`;
  };

  it('is added with every field, edited and found again', async () => {
    const fields = { ...FILE, description: 'Recipes', mime_type: 'application/pdf', size_bytes: 0, required_level: 1 };
    const answer = await moderator.post(library, fields);

    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^res_[0-9a-z]{26}$/),
      object: 'library_resource',
      community: { object: 'community', id: community },
      ...fields,
      download_count: 0,
      unique_download_count: 0,
      created_by: { object: 'user', id: expect.any(String) },
      created_at: expect.any(String),
      deleted_at: null,
    });
    const resource = `/v1/community/library/resources/${answer.body.data.id}`;
    const edited = requireData(await moderator.patch(resource, { title: 'Slips', description: null }));
    expect(edited).toEqual({ ...answer.body.data, title: 'Slips', description: null });
    expect(requireData(await member.get(resource))).toEqual(edited);
  });

  it('counts every download, and each user once', async () => {
    const resource = await add();

    const first = await member.post(`${resource}/downloads`);

    expect(first.status).toBe(201);
    expect(first.body.data).toEqual({
      id: expect.stringMatching(/^dl_[0-9a-z]{26}$/),
      object: 'library_download',
      resource: { object: 'library_resource', id: resource.split('/').at(-1) },
      user: { object: 'user', id: expect.any(String) },
      download_url: FILE.file_url,
      resource_download_count: 1,
      downloaded_at: expect.any(String),
    });
    expect(requireData(await member.post(`${resource}/downloads`)).resource_download_count).toBe(2);
    expect(requireData(await moderator.post(`${resource}/downloads`)).resource_download_count).toBe(3);
    const counted = { download_count: 3, unique_download_count: 2 };
    expect(requireData(await member.get(resource))).toMatchObject(counted);
    expect(requireData(await moderator.patch(resource, { title: 'Slips' }))).toMatchObject(counted);
  });

  it('hides its file below its level', async () => {
    const resource = await add({ ...FILE, required_level: 3 });

    expect(requireData(await member.get(resource)).file_url).toBeNull();
    expect(requireData(await moderator.get(resource)).file_url).toBe(FILE.file_url);
    const listed = (await member.get(`${library}?per_page=100`)).body.data;
    expect(listed[0]).toMatchObject({ file_url: null, required_level: 3 });
    const refused = await member.post(`${resource}/downloads`);
    expect(toProblem(refused)).toMatchObject({ status: 403, code: 'insufficient_level' });
    await key.post(`/v1/community/communities/${community}/points`, { points: 20, target_email: emailFor('mary') });
    expect((await member.post(`${resource}/downloads`)).status).toBe(201);
  });

  it('is deleted once, and not found afterwards', async () => {
    const resource = await add();
    const deleted = requireData(await moderator.delete(resource));

    expect(deleted).toMatchObject({ deleted: true, deleted_at: expect.any(String), deleted_by: { object: 'user' } });
    expect(requireData(await key.delete(resource))).toEqual(deleted);
    for (const answer of [
      await member.get(resource),
      await moderator.patch(resource, { title: 'x' }),
      await member.post(`${resource}/downloads`),
    ])
      expect(answer.status).toBe(404);
    const { data } = (await member.get(`${library}?per_page=100`)).body;
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(deleted.id);
  });

  it.each([
    ['no title', { file_url: FILE.file_url }, 'validation_failed', ['title']],
    ['a blank title', { ...FILE, title: ' ' }, 'validation_failed', ['title']],
    ['a file over http', { ...FILE, file_url: 'http://example.com/x' }, 'validation_failed', ['file_url']],
    ['a negative size', { ...FILE, size_bytes: -1 }, 'validation_failed', ['size_bytes']],
    ['level 101', { ...FILE, required_level: 101 }, 'validation_failed', ['required_level']],
    ['an unknown field', { ...FILE, pages: 3 }, 'unknown_parameter', ['pages']],
  ])('is refused with %s', async (_, body, code, fields) =>
    expect(toProblem(await moderator.post(library, body))).toEqual({ status: 422, code, fields }),
  );

  it('is not found by outsiders', async () => {
    const outsider = await signIn(service, 'olga');
    const resource = await add();

    for (const answer of [await outsider.get(resource), await outsider.post(`${resource}/downloads`)])
      expect(answer.status).toBe(404);
  });
});
