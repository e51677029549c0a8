import { rm } from 'node:fs/promises';
import { createCommunity, signIn } from '../community/community-users.js';
import { compareCopy } from '../lives/mirror/compare-copy.js';
import { COPY_PROGRAMS, runCopyProgram } from '../lives/mirror/copy-programs.js';
import { readPublicResources, type Resource } from '../lives/mirror/public-lists.js';
import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createTempFolder, type Service, startService } from '../support/service.js';

const [PROGRAM] = COPY_PROGRAMS;
const FILE = 'https://example.com/a.pdf';

/** The lives do not play these nouns. */
describe('A copy from the events of a community', () => {
  let service: Service;
  let folder: string;
  let key: Api;
  let member: Api;
  let path: string;
  beforeAll(async () => {
    [service, folder] = await Promise.all([startService(), createTempFolder()]);
    key = service.createApi(await service.createKey(await service.createBusiness()));
    path = `/v1/community/communities/${(await createCommunity(key)).id}`;
    member = await signIn(service, 'rita');
    await act(member.post(`${path}/join`));
  });
  afterAll(() => Promise.all([service.stop(), rm(folder, { recursive: true, force: true })]));

  const create = async (noun: string, body: object) =>
    (requireData(await key.post(`${path}/${noun}`, body)) as { id: string }).id;
  const act = async (answer: Promise<ApiResponse>) => void requireData(await answer);

  async function useChannels(): Promise<void> {
    const channel = `/v1/community/channels/${await create('channels', { name: 'kilns' })}`;
    await act(key.patch(channel, { description: 'Hot' }));
    const write = async (body: object) => requireData(await key.post(`${channel}/messages`, body)).id as string;
    const first = await write({ content: 'One' });
    await write({ content: 'Two', reply_to: first });
    await act(key.patch(`/v1/community/messages/${first}`, { content: 'Uno' }));
    await act(key.delete(`/v1/community/messages/${await write({ content: 'Three' })}`));
    await act(key.delete(`/v1/community/channels/${await create('channels', { name: 'glazes' })}`));
  }

  async function useChallenges(): Promise<void> {
    const challenge = { title: 'Write', goal_type: 'posts', goal_target: 2 };
    const id = await create('challenges', challenge);
    await act(member.post(`/v1/community/challenges/${id}/join`));
    for (const content of ['One', 'Two']) await act(member.post(`${path}/posts`, { content }));
    await act(key.patch(`/v1/community/challenges/${id}`, { title: 'Write more' }));
    await act(key.delete(`/v1/community/challenges/${await create('challenges', challenge)}`));
  }

  async function useLibrary(): Promise<void> {
    const resource = `/v1/community/library/resources/${await create('library/resources', { title: 'A', file_url: FILE })}`;
    await act(key.patch(resource, { title: 'B' }));
    for (const api of [member, member, key]) await act(api.post(`${resource}/downloads`));
    const deleted = await create('library/resources', { title: 'C', file_url: FILE });
    await act(key.delete(`/v1/community/library/resources/${deleted}`));
  }

  async function useTasks(): Promise<void> {
    await create('onboarding-tasks', { key: 'say_hello', title: 'Say hello', cp_reward: 3 });
    await act(member.post(`${path}/onboarding-tasks/say_hello/complete`));
  }

  async function readEvents(): Promise<readonly string[]> {
    const events: object[] = [];
    for (let after: string | null = ''; after !== null;) {
      const cursor: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const { body } = await key.get(`/v1/webhooks/events?limit=100${cursor}`);
      events.push(...(body.data as object[]));
      after = body.pagination.next_cursor as string | null;
    }
    return events.map((event) => JSON.stringify(event));
  }

  it('equals what the API answers, except for the fields that the guide names', async () => {
    for (const use of [useChannels, useChallenges, useLibrary, useTasks]) await use();

    const compare = async () =>
      compareCopy(await runCopyProgram(PROGRAM!, await readEvents(), folder), await readPublicResources(key));
    expect(await eventually(compare, ({ length }) => length === 0)).toEqual([]);
    const objects = new Set((await readPublicResources(key)).map(({ object }: Resource) => object));
    expect(['channel', 'message', 'challenge', 'library_resource'].filter((one) => !objects.has(one))).toEqual([]);
  });
});
