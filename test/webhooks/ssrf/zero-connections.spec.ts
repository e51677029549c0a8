import { rmSync } from 'node:fs';
import { iso } from '../../../src/kernel/clock.js';
import { sampled, seed } from '../../contracts/seed.js';
import { dataOf, type Api, type Reply } from '../../support/api.js';
import { freshFolder } from '../../support/service.js';
import { ServiceProcess, type Environment } from '../../support/service-process.js';
import { eventually, freshKey, OCCURRENCE } from '../desk.js';
import { FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS } from './forbidden-hosts.js';
import type { Answers } from '../../support/dns-server.js';
import { Rebinding } from './rebinding.js';
import { Trap } from './trap.js';

const PUBLIC = '93.184.215.14';
const AT_ONCE = 16;
const PATIENCE_MS = 240_000;
/** One after another: they end their lanes in one stream each. */
const JOBS = 5;
/** Of all urls. */
const ONE_OF = 4;
const MOST = 400;
/** Each failed first attempt is repeated once, soon. */
const ENVIRONMENT = { WEBHOOK_ENDPOINT_LIMIT: '2000', WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_REPLAY_RATE: '1000' };

type Told = Reply['body'];

/** What the table has, each with the port of a trap, by turns with and without TLS; and a name for each address. */
function urlsOf(port: number): readonly string[] {
  const hosts = [...FORBIDDEN_HOSTS.map(({ host }) => host), ...namesOf().keys()];
  const urls = hosts.map((host, i) => `${i % 2 === 0 ? 'http' : 'https'}://${host}:${port}/hook`);
  const whole = urls.filter((url) => URL.canParse(url) && new URL(url).port === String(port) && !url.includes('@'));
  return sampled(whole, ONE_OF);
}

/** A forbidden address alone, behind a public one, and before one. */
function namesOf(): ReadonlyMap<string, readonly string[]> {
  const turns = [(one: string) => [one], (one: string) => [PUBLIC, one], (one: string) => [one, PUBLIC]];
  return new Map(FORBIDDEN_ADDRESSES.map((address, i) => [`n${i}.example.com`, turns[i % turns.length]!(address)]));
}

/** The names of the table lead to the machine itself. */
function answers(port: number): Answers {
  const hosts = urlsOf(port).map((url) => new URL(url).hostname.replace(/\.$/, ''));
  return Object.fromEntries(hosts.map((host) => [host, [namesOf().get(host) ?? ['127.0.0.1']]]));
}

let folder: string;
let trap: Trap;
beforeAll(async () => {
  folder = await freshFolder();
  trap = await Trap.set();
});
afterAll(async () => {
  await trap.release();
  rmSync(folder, { recursive: true });
});

/** The work for each, a few at a time, answers in their order. */
async function forEach<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = [];
  for (let i = 0; i < all.length; i += AT_ONCE) done.push(...(await Promise.all(all.slice(i, i + AT_ONCE).map(work))));
  return done;
}

async function everyRecord(api: Api, query: string): Promise<Told[]> {
  const records: Told[] = [];
  for (let after = ''; ;) {
    const { body } = await api.get(`/v1/webhooks/deliveries?limit=100&${query}${after}`);
    records.push(...body.data);
    if (!body.pagination.has_more) return records;
    after = `&after=${body.pagination.next_cursor}`;
  }
}

describe(`What leads to a forbidden address (SEED=${seed})`, () => {
  let rebinding: Rebinding;
  let service: ServiceProcess;
  let api: Api;
  let endpoints: string[];
  let key: string;

  const start = (environment: Environment) => ServiceProcess.start(folder, { ...ENVIRONMENT, ...rebinding.environment, ...environment });
  const records = (count: number, query: string) =>
    eventually(async () => {
      const found = await everyRecord(api, query);
      return found.length >= count ? found : null;
    }, PATIENCE_MS);

  /** They are made, disabled, where everything is allowed; then nothing is any more. */
  beforeAll(async () => {
    rebinding = await Rebinding.start(folder, answers(trap.port));
    const lenient = await start({ WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0,::/0' });
    key = lenient.firstKey;
    const body = { event_types: [OCCURRENCE], status: 'disabled', rate_limit_per_second: 1000 };
    const made = await forEach(urlsOf(trap.port), (url) => lenient.api(key).post('/v1/webhooks/endpoints', { ...body, url }));
    endpoints = made.map((reply) => dataOf(reply).id);
    await lenient.stop();
    service = await start({ WEBHOOK_ALLOW_CIDRS: '' });
    api = service.api(key);
    await forEach(endpoints, async (id) => dataOf(await api.patch(`/v1/webhooks/endpoints/${id}`, { status: 'enabled' })));
  }, PATIENCE_MS);
  afterAll(async () => {
    await service.stop();
    await rebinding.stop();
  });
  afterEach(() => {
    expect(rebinding.dialled).toEqual([]);
    expect(trap.caught).toEqual([]);
  });

  it('is most of the table, and a name for each address', () => expect(endpoints.length).toBeGreaterThan(MOST / ONE_OF));

  it(
    'is not dialled by an attempt, nor by its retry',
    async () => {
      dataOf(await api.post('/v1/commerce/products', { name: 'A course' }));
      const abandoned = await records(endpoints.length, 'status=abandoned');
      const all = await everyRecord(api, 'test=false');

      expect(new Set(abandoned.map(({ endpoint }) => endpoint.id))).toEqual(new Set(endpoints));
      expect([all.length, all.filter(wasSent)]).toEqual([2 * endpoints.length, []]);
    },
    PATIENCE_MS,
  );

  it(
    'is not dialled by a test',
    async () => {
      const path = (id: string) => `/v1/webhooks/endpoints/${id}/test-events`;
      const told = await forEach(endpoints, async (id) => dataOf(await api.post(path(id), undefined, freshKey())));

      expect(told.filter(({ status, response_status: code, duration_ms: ms }) => status !== 'failed' || code !== 0 || ms !== 0)).toEqual(
        [],
      );
    },
    PATIENCE_MS,
  );

  it(
    'is not dialled by a replay',
    async () => {
      const abandoned = await everyRecord(api, 'status=abandoned');
      const path = (id: string) => `/v1/webhooks/deliveries/${id}/replay`;
      const replays = await forEach(abandoned, async ({ id }) => dataOf(await api.post(path(id), undefined, freshKey())));

      expect(replays.length).toBe(endpoints.length);
      expect(replays.filter(wasSent)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'is not dialled by replay jobs',
    async () => {
      const times = (await records(endpoints.length, 'status=failed&test=false'))
        .slice(0, endpoints.length)
        .map(({ created_at: at }) => at)
        .sort();
      const starts = times.filter((_, i) => i % Math.ceil(times.length / JOBS) === 0);
      const jobs: Told[] = [];
      for (const [i, from] of starts.entries()) jobs.push(await done(from, starts[i + 1] ?? iso(Date.parse(times.at(-1)) + 1)));

      const sum = (of: 'matched' | 'failed' | 'succeeded') => jobs.reduce((total, job) => total + job[of], 0);
      expect([sum('matched'), sum('failed'), sum('succeeded')]).toEqual([endpoints.length, endpoints.length, 0]);
      for (const { id } of jobs) expect((await everyRecord(api, `replay_job_id=${id}`)).filter(wasSent)).toEqual([]);
    },
    PATIENCE_MS,
  );

  /** A job over what was replayed from one time on, to just before another, when it has ended. */
  async function done(from: string, before: string): Promise<Told> {
    const window = { created_from: from, created_to: iso(Date.parse(before) - 1) };
    const { id } = dataOf(await api.post('/v1/webhooks/replay-jobs', window));
    return eventually(async () => {
      const job = dataOf(await api.get(`/v1/webhooks/replay-jobs/${id}`));
      return job.status === 'completed' ? job : null;
    }, PATIENCE_MS);
  }
});

function wasSent({ response_status, duration_ms, status }: Told): boolean {
  return response_status !== null || duration_ms !== null || status === 'success';
}
