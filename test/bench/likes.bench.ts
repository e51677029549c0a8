// Measures 200 members who like, comment and award points on one post at the same time: without a pause, and once a
// second each. Compares the p99 of a like with that of the same members who only like, and with that of likes which are
// sent one after another. Checks that every count is exact.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { readConfig as Read } from '../../src/config/config.js';
import type { DevelopmentTokens } from '../../src/identity/authentication/development-tokens.js';
import type { Clock } from '../../src/kernel/clock.js';
import { Api, type ApiResponse, requireData } from '../support/api.ts';
import { TEST_ENVIRONMENT } from '../support/service-process.ts';
import { importBuilt, toBuiltPath } from './built.ts';
import { describeMachine } from './machine.ts';
import { computePercentile, round } from './numbers.ts';
import { FIRST_KEY, MeasuredServer } from './server.ts';

const MEMBERS = 200;
const DURATION_MS = 10_000;
const LIKES_ALONE = 500;
const SECOND_MS = 1_000;

interface Behaviour {
  /** Whether the members comment and award points too. */
  readonly isMixed: boolean;
  /** Time from one like of a member to the next one; 0: as soon as the member's requests are answered. */
  readonly everyMs: number;
}

const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
const service = await MeasuredServer.start(toBuiltPath('main.js'), { ...TEST_ENVIRONMENT, DATA_DIR: dataDir });
try {
  const key = new Api(service.url, FIRST_KEY.exec(service.output)![0]);
  const community = requireData(await key.post('/v1/community/communities', { name: 'Potters' })).id as string;
  const members = await joinMembers(community);
  const alone = await measureAlone(members[0]!, await publish(key, community));
  const measure = (isMixed: boolean, everyMs: number) => measureTogether(key, members, community, { isMixed, everyMs });
  const onceASecond = await measure(true, SECOND_MS);
  const onlyLikes = await measure(false, 0);
  const together = await measure(true, 0);
  const ratios = {
    once_a_second_to_one_at_a_time: round(onceASecond.p99_ms / alone.p99_ms),
    to_likes_of_all_members: round(together.p99_ms / onlyLikes.p99_ms),
    to_one_at_a_time: round(together.p99_ms / alone.p99_ms),
  };
  const conditions = { members: MEMBERS, duration_ms: DURATION_MS };
  const figures = { alone, once_a_second: onceASecond, only_likes: onlyLikes, together, ratios };
  console.log(JSON.stringify({ bench: 'likes', machine: describeMachine(), ...conditions, figures }, null, 2));
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function joinMembers(community: string): Promise<readonly Api[]> {
  const sign = await createSigner();
  const members: Api[] = [];
  for (let n = 0; n < MEMBERS; n++) {
    const member = new Api(service.url, await sign(`member${n}`));
    requireData(await member.post(`/v1/community/communities/${community}/join`));
    members.push(member);
  }
  return members;
}

/** Signs with the key pair of the data directory; one process of the command line per member would take minutes. */
async function createSigner(): Promise<(name: string) => Promise<string>> {
  const { readConfig } = await importBuilt<{ readConfig: typeof Read }>('config/config.js');
  const { DevelopmentTokens: Tokens } = await importBuilt<{ DevelopmentTokens: typeof DevelopmentTokens }>(
    'identity/authentication/development-tokens.js',
  );
  const tokens = new Tokens(readConfig({ ...TEST_ENVIRONMENT, DATA_DIR: dataDir }).config, { now: Date.now } as Clock);
  return (name) => tokens.sign({ subject: name, email: `${name}@example.com`, reviewer: false, expiresInSeconds: 600 });
}

async function publish(key: Api, community: string): Promise<string> {
  const { id } = requireData(await key.post(`/v1/community/communities/${community}/posts`, { content: 'Glaze' }));
  return `/v1/community/posts/${id}`;
}

async function measureAlone(member: Api, post: string) {
  const durations: number[] = [];
  for (let n = 0; n < LIKES_ALONE; n++) durations.push(await time(() => toggle(member, post, n)));
  return summarize(durations);
}

async function measureTogether(key: Api, members: readonly Api[], community: string, behaviour: Behaviour) {
  const { isMixed, everyMs } = behaviour;
  const post = await publish(key, community);
  const durations: number[] = [];
  let [comments, awards] = [0, 0];
  const began = performance.now();
  const end = began + DURATION_MS;
  const act = async (member: Api, index: number) => {
    let likes = 0;
    for (let n = 0; performance.now() < end; n++) {
      if (everyMs > 0) await delay(began + everyMs * (n + index / MEMBERS) - performance.now());
      durations.push(await time(() => toggle(member, post, likes++)));
      if (!isMixed) continue;
      if (n % 2 === 0) {
        requireData(await member.post(`${post}/comments`, { content: 'Six' }));
        comments++;
      }
      const award = { points: 1, target_email: `member${index}@example.com` };
      requireData(await key.post(`/v1/community/communities/${community}/points`, award));
      awards++;
    }
    if (likes % 2 === 0) requireData(await toggle(member, post, 0));
  };
  await Promise.all(members.map(act));
  const { like_count, comment_count } = requireData(await key.get(post));
  if (like_count !== MEMBERS || comment_count !== comments)
    throw new Error(`${like_count} likes of ${MEMBERS}, ${comment_count} comments of ${comments}`);
  return { ...summarize(durations), comments, awards };
}

/** Likes the post, and withdraws the like at the next call. */
function toggle(member: Api, post: string, n: number): Promise<ApiResponse> {
  return n % 2 === 0 ? member.put(`${post}/like`) : member.delete(`${post}/like`);
}

async function time(request: () => Promise<ApiResponse>): Promise<number> {
  const began = performance.now();
  requireData(await request());
  return performance.now() - began;
}

function summarize(durations: readonly number[]) {
  const [p50_ms, p99_ms] = [50, 99].map((percent) => round(computePercentile(durations, percent)));
  return { likes: durations.length, p50_ms: p50_ms!, p99_ms: p99_ms! };
}
