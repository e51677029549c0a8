// Compares a community of 100,000 members, a million awards and 200,000 posts with a community that just fills a page:
// lists, leaderboards, an award, and rebuilds. Prints one JSON document on standard output and progress on standard
// error. BENCH_SIZE: the number of members.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireData } from '../support/api.ts';
import { runOps } from '../support/ops.ts';
import { type CommunitySizes, fillCommunity } from './growth/fill-community.ts';
import { type BusinessSeed, GrownBusiness } from './growth/grown-business.ts';
import { describeMachine } from './machine.ts';
import { computeMedian, round } from './numbers.ts';

const MEMBERS = Number(process.env.BENCH_SIZE ?? 100_000);
const LARGE: CommunitySizes = { members: MEMBERS, points: MEMBERS * 10, posts: MEMBERS * 2 };
const MIDDLE: CommunitySizes = { members: MEMBERS / 10, points: MEMBERS, posts: MEMBERS / 5 };
/** Enough documents for some full pages. */
const SMALL: CommunitySizes = { members: 400, points: 4_000, posts: 800 };
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const PER_PAGE = 25;

type Community = { readonly shop: GrownBusiness; readonly sizes: CommunitySizes; readonly path: string };

const folder = await mkdtemp(join(tmpdir(), 'bench-'));
try {
  const seed = await createSeed(join(folder, 'seed'));
  const rebuilds = [await measureRebuild('middle', MIDDLE), await measureRebuild('large', LARGE)];
  await fillCopy('small', SMALL);
  const communities = [await open('small', SMALL, seed), await open('large', LARGE, seed)] as const;
  const cold = await measureCold(communities[1]);
  const figures = await measureRequests(...communities).finally(() =>
    Promise.all(communities.map(({ shop }) => shop.server.stop())),
  );
  const report = { bench: 'community', machine: describeMachine(), sizes: LARGE, rebuilds, cold, figures };
  console.log(JSON.stringify(report, null, 2));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function createSeed(dataDir: string): Promise<BusinessSeed> {
  const seed = await GrownBusiness.create(dataDir);
  const shop = await GrownBusiness.open(dataDir, seed);
  requireData(await shop.api.post(`/v1/community/communities/${seed.communityId}/posts`, { content: 'Glaze' }));
  await shop.server.takeCpuMicrosUntilIdle();
  await shop.server.stop();
  return seed;
}

async function fillCopy(name: string, sizes: CommunitySizes): Promise<string> {
  const dataDir = join(folder, name);
  await cp(join(folder, 'seed'), dataDir, { recursive: true });
  await fillCommunity(dataDir, sizes);
  return dataDir;
}

async function open(name: string, sizes: CommunitySizes, seed: BusinessSeed): Promise<Community> {
  const shop = await GrownBusiness.open(join(folder, name), seed);
  return { shop, sizes, path: `/v1/community/communities/${seed.communityId}` };
}

/** Rebuilds the members with the command line, which reads the whole log. */
async function measureRebuild(name: string, sizes: CommunitySizes) {
  const dataDir = await fillCopy(name, sizes);
  const began = performance.now();
  await runOps(dataDir, 'projections', 'rebuild', 'members');
  const seconds = (performance.now() - began) / 1_000;
  const events = sizes.members + sizes.points + sizes.posts;
  return { events, seconds: round(seconds), events_per_second: Math.round(events / seconds) };
}

/** Measures the first requests of a process for the leaderboards. */
async function measureCold({ shop, path }: Community) {
  const figures = [];
  for (const period of ['all', '7d', '30d']) {
    await shop.server.read();
    const ms = await measureTime(() => read(shop, `${path}/leaderboard?period=${period}`));
    figures.push({
      period,
      ms: round(ms),
      event_loop_delay_ms: round((await shop.server.read()).eventLoopDelayMs.max),
    });
  }
  return figures;
}

function measureRequests(small: Community, large: Community) {
  const middle = (size: number) => Math.ceil(size / PER_PAGE / 2);
  const lists: [string, (sizes: CommunitySizes) => string][] = [
    ['members, first page', () => 'members'],
    ['members, a page in the middle', ({ members }) => `members?page=${middle(members)}`],
    ['members, moderators', () => 'members?role=moderator'],
    ['posts, first page', () => 'posts'],
    ['posts, a page in the middle', ({ posts }) => `posts?page=${middle(posts)}`],
    ['points, first page', () => 'points'],
    ...['all', '7d', '30d'].flatMap((period): [string, (sizes: CommunitySizes) => string][] => [
      [`leaderboard ${period}, first page`, () => `leaderboard?period=${period}`],
      [
        `leaderboard ${period}, a page in the middle`,
        ({ members }) => `leaderboard?period=${period}&page=${middle(members)}`,
      ],
    ]),
  ];
  const requests: [string, (community: Community) => Promise<unknown>][] = [
    ...lists.map(([name, list]): (typeof requests)[number] => [
      name,
      ({ shop, sizes, path }) => read(shop, `${path}/${list(sizes)}`),
    ]),
    ['an award', async ({ shop }) => requireData(await shop.award())],
    ['leaderboard 7d after an award', ({ shop, path }) => read(shop, `${path}/leaderboard?period=7d`)],
  ];
  return compareAll(requests, [small, large]);
}

async function compareAll(
  requests: readonly [string, (community: Community) => Promise<unknown>][],
  communities: readonly [Community, Community],
) {
  const figures = [];
  for (const [name, ask] of requests) {
    console.error(name);
    const [small_ms, large_ms, delays] = await compare(name, ask, communities);
    const ratio = round(computeMedian(large_ms) / computeMedian(small_ms));
    const medians = { small_ms: round(computeMedian(small_ms)), large_ms: round(computeMedian(large_ms)), ratio };
    figures.push({
      name,
      ...medians,
      first_large_ms: round(large_ms[0]!),
      worst_event_loop_delay_ms: round(Math.max(...delays)),
    });
  }
  return figures;
}

/** Interleaves the requests, so that both communities are measured under the same conditions. */
async function compare(
  name: string,
  ask: (community: Community) => Promise<unknown>,
  [small, large]: readonly [Community, Community],
) {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let i = 0; i < ROUNDS; i++) {
    for (const [index, community] of [small, large].entries()) {
      if (name.includes('after an award')) requireData(await community.shop.award());
      await community.shop.server.read();
      times[index]!.push(await measureTime(() => ask(community)));
    }
    times[2].push((await large.shop.server.read()).eventLoopDelayMs.max);
  }
  return times;
}

async function read({ api }: GrownBusiness, path: string): Promise<void> {
  const { status } = await api.get(path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
}

async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
