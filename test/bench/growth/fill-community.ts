import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RecordedEvent } from '../../../src/kernel/event.ts';
import type { Projection } from '../../../src/kernel/projection.ts';
import type { ReadModels } from '../../../src/kernel/read-models.ts';
import type * as collections from '../../../src/stores/embedded/collections.ts';
import type * as embedded from '../../../src/stores/embedded/embedded.ts';
import type * as positions from '../../../src/stores/embedded/positions.ts';
import { importBuilt } from '../built.ts';
import { findActiveBuild, insert, type Rows } from './fill-documents.ts';
import { advanceCheckpoints } from './fill-store.ts';

const DAY_MS = 86_400_000;
/** The members, awards and posts are spread over this number of days before now. */
const SPAN_DAYS = 60;
/** A prime number, so that consecutive awards belong to members in no order. */
const STEP = 7_919;

export interface CommunitySizes {
  readonly members: number;
  readonly points: number;
  readonly posts: number;
}

type AnyDocument = Record<string, unknown>;
/** The first event of a type, which the created events copy. */
type Templates = Readonly<Record<'MemberJoined' | 'PointsAwarded' | 'PostCreated', RecordedEvent>>;

interface Built {
  readonly members: Projection<object>;
  readonly points: Projection<object>;
  readonly posts: Projection<object>;
  readonly toPosition: typeof positions.toPosition;
}

/** Adds members, awards and posts to the community of the store's first award: events, and the documents they fold to. */
export async function fillCommunity(dataDir: string, sizes: CommunitySizes): Promise<void> {
  const file = join(dataDir, 'store.sqlite');
  const { openEmbedded } = await importBuilt<typeof embedded>('stores/embedded/embedded.js');
  const { tableOf } = await importBuilt<typeof collections>('stores/embedded/collections.js');
  const stores = await openEmbedded({ file });
  const built = await importProjections();
  const templates = await findTemplates(stores.events);
  const first = Number((await stores.events.readHead()) || 0) + 1;
  const builds = await Promise.all(
    ['members', 'pointsAwards', 'posts'].map((name) => findActiveBuild(stores.catalogue, name)),
  );
  await countMembers(stores.models, await findActiveBuild(stores.catalogue, 'communities'), templates, sizes.members);
  await stores.close();

  const events = createEvents(templates, sizes, first, built);
  const total = sizes.members + sizes.points + sizes.posts;
  insert(file, [
    { name: 'events', statement: INSERT_EVENT, size: total, row: (n) => toEventRow(events(n)) },
    ...createDocuments(
      events,
      sizes,
      built,
      builds.map((build) => tableOf(build)),
    ),
  ]);
  const filled = await openEmbedded({ file });
  await advanceCheckpoints(filled);
  await filled.close();
}

const INSERT_EVENT = 'insert into events (stream, revision, id, type, data, meta) values (?, ?, ?, ?, ?, ?)';

function toEventRow({ stream, revision, id, type, data, meta }: RecordedEvent): (string | number)[] {
  return [stream, revision, id, type, JSON.stringify(data), JSON.stringify(meta)];
}

async function importProjections(): Promise<Built> {
  const read = async (file: string, name: string) =>
    (await importBuilt<Record<string, Projection<object>>>(`community/projections/${file}.js`))[name]!;
  const { toPosition } = await importBuilt<typeof positions>('stores/embedded/positions.js');
  return {
    members: await read('members', 'members'),
    points: await read('points-awards', 'pointsAwards'),
    posts: await read('posts', 'posts'),
    toPosition,
  };
}

async function findTemplates(events: {
  readAll(options: {
    after: string;
    limit: number;
  }): Promise<{ events: readonly RecordedEvent[]; next: string; caughtUp: boolean }>;
}): Promise<Templates> {
  const found: Record<string, RecordedEvent> = {};
  for (let after = '', more = true; more;) {
    const page = await events.readAll({ after, limit: 500 });
    for (const event of page.events) found[event.type] ??= event;
    [after, more] = [page.next, !page.caughtUp];
  }
  return found as Templates;
}

/** The number of members is a field of the community. */
async function countMembers(models: ReadModels, build: string, { MemberJoined }: Templates, members: number) {
  const { communityId } = MemberJoined.data as { readonly communityId: string };
  const [row] = await models.load(build, [communityId]);
  const document = row!.document as { readonly member_count: number };
  const grown = { ...document, member_count: document.member_count + members };
  await models.compareAndSet(build, { ...row!, document: grown }, row!.position);
}

/** Returns the n-th created event: first the members, then the awards in the order of time, then the posts. */
function createEvents(templates: Templates, sizes: CommunitySizes, first: number, { toPosition }: Built) {
  const start = Date.now() - SPAN_DAYS * DAY_MS;
  const { MemberJoined, PointsAwarded, PostCreated } = templates;
  const build = (template: RecordedEvent, n: number, at: number, stream: string, revision: number, data: object) => ({
    ...template,
    ...{ stream, revision, data, id: randomUUID(), position: toPosition(first + n) },
    meta: { ...template.meta, at: new Date(at).toISOString(), commandId: randomUUID() },
  });
  return (n: number): RecordedEvent => {
    const [award, post] = [n - sizes.members, n - sizes.members - sizes.points];
    if (award < 0) {
      const data = { ...MemberJoined.data, ...toMember(n), role: 'member', email: null };
      return build(
        MemberJoined,
        n,
        start + (n * SPAN_DAYS * DAY_MS) / sizes.members,
        `member-${toMember(n).memberId}`,
        0,
        data,
      );
    }
    if (post < 0) {
      const at = start + (award * SPAN_DAYS * DAY_MS) / sizes.points;
      const round = Math.floor(award / sizes.members);
      const member = toMember((award * STEP) % sizes.members);
      const balance = { awardId: toId('pta', award), points: 1, balance: round + 1, at: new Date(at).toISOString() };
      const data = { ...PointsAwarded.data, ...member, ...balance, email: null };
      return build(PointsAwarded, n, at, `points-${member.memberId}`, round, data);
    }
    const at = start + (post * SPAN_DAYS * DAY_MS) / sizes.posts;
    const postId = toId('post', post);
    const data = { ...PostCreated.data, postId, authorId: toMember(post % sizes.members).userId };
    return build(PostCreated, n, at, `post-${postId}`, 0, data);
  };
}

function toMember(n: number) {
  return { memberId: toId('mem', n), userId: toId('usr', n) };
}

function toId(prefix: string, n: number): string {
  return `${prefix}_${String(n).padStart(26, '0')}`;
}

/** Folds the events to the documents of the three projections. */
function createDocuments(
  events: (n: number) => RecordedEvent,
  sizes: CommunitySizes,
  { members, points, posts }: Built,
  tables: readonly string[],
): Rows[] {
  const afterMembers = sizes.members;
  const folded = foldMembers(events, sizes, members);
  const fold = (projection: Projection<object>, n: number) => {
    const event = events(n);
    const id = projection.id(event) as string;
    return [id, event.position, JSON.stringify(apply(projection, null, event, id))];
  };
  const statement = (i: number) => `insert into ${tables[i]} (id, position, body) values (?, ?, ?)`;
  return [
    { name: 'members', statement: statement(0), size: sizes.members, row: (n) => folded[n]! },
    { name: 'points', statement: statement(1), size: sizes.points, row: (n) => fold(points, afterMembers + n) },
    {
      name: 'posts',
      statement: statement(2),
      size: sizes.posts,
      row: (n) => fold(posts, afterMembers + sizes.points + n),
    },
  ];
}

function foldMembers(events: (n: number) => RecordedEvent, sizes: CommunitySizes, members: Projection<object>) {
  const documents: { id: string; position: string; document: object }[] = [];
  for (let n = 0; n < sizes.members + sizes.points; n++) {
    const event = events(n);
    const index = n < sizes.members ? n : ((n - sizes.members) * STEP) % sizes.members;
    const { memberId: id } = toMember(index);
    const document = apply(members, documents[index]?.document ?? null, event, id)!;
    documents[index] = { id, position: event.position, document };
  }
  return documents.map(({ id, position, document }) => [id, position, JSON.stringify(document)]);
}

function apply(projection: Projection<object>, document: object | null, event: RecordedEvent, id: string) {
  const change = (projection.on as AnyDocument)[event.type] as (
    document: object | null,
    event: RecordedEvent,
    id: string,
  ) => object | null;
  return change(document, event, id);
}
