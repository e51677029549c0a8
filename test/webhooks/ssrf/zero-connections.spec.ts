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
/** The jobs run one after another, because each job ends all its batches in one stream. */
const JOBS = 5;
/** The test takes one of so many URLs as its sample. */
const ONE_OF = 4;
const MOST = 400;
/** Each failed first attempt has one retry after a second. */
const ENVIRONMENT = { WEBHOOK_ENDPOINT_LIMIT: '2000', WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_REPLAY_RATE: '1000' };

type Told = Reply['body'];

/**
 * Returns URLs for all hosts of the table and for a name of each address. They have the port of the trap, with and
 * without TLS in turn.
 */
function urlsOf(port: number): readonly string[] {
  const hosts = [...FORBIDDEN_HOSTS.map(({ host }) => host), ...namesOf().keys()];
  const urls = hosts.map((host, i) => `${i % 2 === 0 ? 'http' : 'https'}://${host}:${port}/hook`);
  const whole = urls.filter((url) => URL.canParse(url) && new URL(url).port === String(port) && !url.includes('@'));
  return sampled(whole, ONE_OF);
}

/** Returns names that resolve, in turn, to a forbidden address alone, after a public one and before a public one. */
function namesOf(): ReadonlyMap<string, readonly string[]> {
  const turns = [(one: string) => [one], (one: string) => [PUBLIC, one], (one: string) => [one, PUBLIC]];
  return new Map(FORBIDDEN_ADDRESSES.map((address, i) => [`n${i}.example.com`, turns[i % turns.length]!(address)]));
}

/** The names of the table resolve to the loopback address. */
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

/** Runs the work for each item in batches. Returns the results in the order of the items. */
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

describe(`A URL with a forbidden address (SEED=${seed})`, () => {
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

  /**
   * Creates disabled endpoints in a service that allows every address, and enables them in a service that allows none.
   */
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

  it('is in the sample for most of the table', () => expect(endpoints.length).toBeGreaterThan(MOST / ONE_OF));

  it(
    'is called neither by an attempt nor by its retry',
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
    'is not called by a test event',
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
    'is not called by a replay',
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
    'is not called by replay jobs',
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

  /** Runs a job for the replays from one time until just before another, and returns the completed job. */
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
