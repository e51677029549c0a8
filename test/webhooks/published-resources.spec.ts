import { PUBLIC_EVENTS } from '../../src/features.js';
import { type CommunityFixture, startCommunity } from '../community/community-fixture.js';
import { emailFor, signIn } from '../community/community-users.js';
import { type Api, type ApiResponse, requireData } from '../support/api.js';
import { eventually } from '../support/eventually.js';

/** Data that no GET returns: a deleted or erased resource, the record of an action, a resource with its former plan. */
const WITHOUT_GET = [
  'DeletedChannel',
  'DeletedComment',
  'DeletedLibraryResource',
  'DeletedOnboardingTask',
  'DeletedPost',
  'Entitlement',
  'ErasedBuyer',
  'ErasedMember',
  'InstallmentPlan',
  'LibraryDownload',
  'OnboardingTaskCompletionFacts',
  'PostLike',
  'SubscriptionWithOldPlan',
  'WebhookEndpointWarning',
  'WebhookTest',
];

interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: { readonly data?: JsonSchema };
}

interface OpenApiPaths {
  readonly [path: string]: {
    readonly get?: {
      readonly responses: {
        readonly 200?: { readonly content?: { readonly 'application/json'?: { readonly schema: JsonSchema } } };
      };
    };
  };
}

interface PublicEvent {
  readonly type: string;
  readonly data: ApiResponse['body'];
}

describe('The data of a public event', () => {
  let fixture: CommunityFixture;
  let key: Api;
  let path: string;
  beforeAll(async () => {
    fixture = await startCommunity();
    ({ key, path } = fixture);
  });
  afterAll(() => fixture.service.stop());

  /** Waits for an event of this type about this resource, and returns its data. */
  async function waitForData(type: string, id: string): Promise<object> {
    const read = async () => requireData(await key.get(`/v1/webhooks/events?event_type=${type}`)) as PublicEvent[];
    const events = await eventually(read, (found) => found.some(({ data }) => data.id === id));
    return events.find(({ data }) => data.id === id)!.data as object;
  }

  const importMember = async (member: object) =>
    requireData(await key.post(`${path}/members/import`, { members: [member] })).results[0].user_id as string;
  const readMember = async (userId: string) => requireData(await key.get(`${path}/members/${userId}`));

  it('is a resource that a GET returns, for every type', async () => {
    const { paths, components } = (await key.get('/openapi.json')).body as {
      readonly paths: OpenApiPaths;
      readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
    };
    const responses = Object.values(paths).flatMap(({ get }) => nameIn(readSchema(get)) ?? []);
    const returned = new Set(responses.flatMap((name) => listNames(components.schemas[name]!.properties?.data)));

    const names = PUBLIC_EVENTS.flatMap(({ schema }) => schema?.name ?? []);
    expect(names.length).toBeGreaterThan(20);
    expect([...new Set(names.filter((name) => !returned.has(name)))].sort()).toEqual(WITHOUT_GET);
  });

  it('is the imported member as GET returns it', async () => {
    const userId = await importMember({ email: 'ines@example.com', level: 3, role: 'moderator' });
    const member = await readMember(userId);

    expect(member).toMatchObject({ level: 3, points: 0, status: 'pending' });
    expect(await waitForData('community.member.imported', member.id as string)).toEqual(member);
  });

  it('is the member who joined, with the points of an earlier time', async () => {
    const rita = await signIn(fixture.service, 'rita');
    const { id, user } = requireData(await rita.post(`${path}/join`));
    await waitForData('community.member.joined', id as string);
    await key.post(`${path}/points`, { points: 70, target_email: emailFor('rita') });
    await rita.post(`${path}/leave`);
    await rita.post(`${path}/join`);

    const member = await readMember(user.id as string);
    expect(member).toMatchObject({ points: 70, level: 4 });
    const read = async () =>
      requireData(await key.get('/v1/webhooks/events?event_type=community.member.joined')) as PublicEvent[];
    const [newest] = await eventually(read, (found) => found.filter(({ data }) => data.id === id).length === 2);
    expect(newest!.data).toEqual(member);
  });

  it('is the new expert as GET returns the member', async () => {
    const { user } = requireData(await fixture.member.get('/v1/auth/me'));
    await key.post(`${path}/points`, { points: 20, target_email: emailFor('mary') });
    const expert = requireData(await key.put(`${path}/members/${user.id}/expert-badge`));

    expect(await waitForData('community.member.expert_badge_assigned', expert.id as string)).toEqual(
      await readMember(user.id as string),
    );
  });

  it('is the changed challenge with its participants', async () => {
    const body = { title: 'Pots', goal_type: 'posts', goal_target: 9 };
    const { id } = requireData(await key.post(`${path}/challenges`, body));
    await fixture.member.post(`/v1/community/challenges/${id}/join`);
    await key.patch(`/v1/community/challenges/${id}`, { title: 'Bowls' });
    const challenge = requireData(await key.get(`/v1/community/challenges/${id}`));

    expect(challenge).toMatchObject({ participant_count: 1 });
    expect(await waitForData('community.challenge.updated', id as string)).toEqual(challenge);
    const cancelled = requireData(await key.delete(`/v1/community/challenges/${id}`));
    expect(await waitForData('community.challenge.cancelled', id as string)).toEqual(cancelled);
  });

  it('is the deleted post as the answer to the deletion shows it', async () => {
    const { id } = requireData(await fixture.member.post(`${path}/posts`, { content: 'Glazes', required_level: 1 }));
    const post = `/v1/community/posts/${id}`;
    await fixture.member.put(`${post}/like`);
    await key.post(`${post}/comments`, { content: 'Which ones?' });
    const deleted = requireData(await key.delete(post));

    expect(deleted).toMatchObject({ deleted: true, content: null, like_count: 1, comment_count: 1 });
    expect(await waitForData('community.post.deleted', id as string)).toEqual(deleted);
  });

  it('is the deleted channel as the answer to the deletion shows it', async () => {
    const { id } = requireData(await key.post(`${path}/channels`, { name: 'Kilns' }));
    const deleted = requireData(await key.delete(`/v1/community/channels/${id}`));

    expect(deleted).toMatchObject({ deleted: true, name: 'Kilns' });
    expect(await waitForData('community.channel.deleted', id as string)).toEqual(deleted);
  });
});

function readSchema(get: OpenApiPaths[string]['get']): JsonSchema | undefined {
  return get?.responses[200]?.content?.['application/json']?.schema;
}

function nameIn(schema: JsonSchema | undefined): string | undefined {
  return schema?.$ref?.split('/').at(-1);
}

/** Lists the named schemas of the data of a response. */
function listNames(schema: JsonSchema | undefined): string[] {
  if (schema === undefined) return [];
  const name = nameIn(schema);
  if (name !== undefined) return [name];
  return [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])].flatMap(listNames);
}
