import { rmSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { toIso } from '../../../src/kernel/clock.js';
import { findUrlError } from '../../../src/webhooks/domain/endpoint-url.js';
import { sampleCases, seed } from '../../contracts/seed.js';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import type { DnsAnswers } from '../../support/dns-server.js';
import { createTempFolder } from '../../support/service.js';
import { type Environment, ServiceProcess } from '../../support/service-process.js';
import { newIdempotencyKey, PUBLISHED_TYPE, waitFor } from '../webhook-fixture.js';
import { ConnectionTrap } from './connection-trap.js';
import { FORBIDDEN_ADDRESSES, FORBIDDEN_HOSTS } from './forbidden-hosts.js';
import { RebindingDns } from './rebinding-dns.js';

const PUBLIC = { 4: '93.184.215.14', 6: '2606:2800:21f:cb07:6820:80da:af6b:8b2c' } as const;
const CONCURRENCY = 16;
const TIMEOUT_MS = 240_000;
/** A poll reads several pages: the service needs the time between two polls for its own work. */
const POLL_INTERVAL_MS = 500;
/** The jobs run one after another, because each job ends all its batches in one stream. */
const JOBS = 5;
/** The test takes one of so many URLs as its sample. */
const SAMPLE_RATIO = 4;
const MIN_HOSTS = 400;
/** Each failed first attempt has one retry after a second. */
const ENVIRONMENT = { WEBHOOK_ENDPOINT_LIMIT: '2000', WEBHOOK_RETRY_SCHEDULE: '1', WEBHOOK_REPLAY_RATE: '1000' };

type Body = ApiResponse['body'];

/**
 * Returns URLs for all hosts of the table and for a name of each address, without those whose syntax is refused. They have the port of the trap, with and
 * without TLS in turn.
 */
function buildUrls(port: number): readonly string[] {
  const hosts = [...FORBIDDEN_HOSTS.map(({ host }) => host), ...buildNames().keys()];
  const urls = hosts.map((host, i) => `${i % 2 === 0 ? 'http' : 'https'}://${host}:${port}/hook`);
  const whole = urls.filter((url) => findUrlError(url) === null && new URL(url).port === String(port));
  return sampleCases(whole, SAMPLE_RATIO);
}

/**
 * Returns names that resolve, in turn, to a forbidden address alone, after a public one and before a public one. Both have
 * the same family, and so come in one answer: a lookup does not wait long for the second answer.
 */
function buildNames(): ReadonlyMap<string, readonly string[]> {
  const publicBeside = (one: string) => PUBLIC[isIPv6(one) ? 6 : 4];
  const turns = [
    (one: string) => [one],
    (one: string) => [publicBeside(one), one],
    (one: string) => [one, publicBeside(one)],
  ];
  return new Map(FORBIDDEN_ADDRESSES.map((address, i) => [`n${i}.example.com`, turns[i % turns.length]!(address)]));
}

/** The names of the table resolve to the loopback address. */
function buildAnswers(port: number): DnsAnswers {
  const hosts = buildUrls(port).map((url) => new URL(url).hostname.replace(/\.$/, ''));
  return Object.fromEntries(hosts.map((host) => [host, [buildNames().get(host) ?? ['127.0.0.1']]]));
}

let folder: string;
let trap: ConnectionTrap;
beforeAll(async () => {
  folder = await createTempFolder();
  trap = await ConnectionTrap.start();
});
afterAll(async () => {
  await trap.close();
  rmSync(folder, { recursive: true });
});

/** Runs the work for each item in batches. Returns the results in the order of the items. */
async function mapInBatches<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = [];
  for (let i = 0; i < all.length; i += CONCURRENCY)
    done.push(...(await Promise.all(all.slice(i, i + CONCURRENCY).map(work))));
  return done;
}

async function listAllRecords(api: Api, query: string): Promise<Body[]> {
  const records: Body[] = [];
  for (let after = ''; ;) {
    const { body } = await api.get(`/v1/webhooks/deliveries?limit=100&${query}${after}`);
    records.push(...body.data);
    if (!body.pagination.has_more) return records;
    after = `&after=${body.pagination.next_cursor}`;
  }
}

describe(`A URL with a forbidden address (SEED=${seed})`, () => {
  let rebinding: RebindingDns;
  let service: ServiceProcess;
  let api: Api;
  let endpoints: string[];
  let key: string;

  const start = (environment: Environment) =>
    ServiceProcess.start(folder, { ...ENVIRONMENT, ...rebinding.environment, ...environment });
  const records = (count: number, query: string) =>
    waitFor(
      async () => {
        const found = await listAllRecords(api, query);
        return found.length >= count ? found : null;
      },
      TIMEOUT_MS,
      POLL_INTERVAL_MS,
    );

  /**
   * Creates disabled endpoints in a service that allows every address, and enables them in a service that allows none.
   */
  beforeAll(async () => {
    rebinding = await RebindingDns.start(folder, buildAnswers(trap.port));
    const lenient = await start({ WEBHOOK_ALLOW_CIDRS: '0.0.0.0/0,::/0' });
    key = lenient.firstKey;
    const body = { event_types: [PUBLISHED_TYPE], status: 'disabled', rate_limit_per_second: 1000 };
    const made = await mapInBatches(buildUrls(trap.port), (url) =>
      lenient.createApi(key).post('/v1/webhooks/endpoints', { ...body, url }),
    );
    endpoints = made.map((reply) => requireData(reply).id);
    await lenient.stop();
    service = await start({ WEBHOOK_ALLOW_CIDRS: '' });
    api = service.createApi(key);
    await mapInBatches(endpoints, async (id) =>
      requireData(await api.patch(`/v1/webhooks/endpoints/${id}`, { status: 'enabled' })),
    );
  }, TIMEOUT_MS);
  afterAll(async () => {
    await service.stop();
    await rebinding.stop();
  });
  afterEach(() => {
    expect(rebinding.dialled).toEqual([]);
    expect(trap.connections).toEqual([]);
  });

  it('is in the sample for most of the table', () =>
    expect(endpoints.length).toBeGreaterThan(MIN_HOSTS / SAMPLE_RATIO));

  it(
    'is called neither by an attempt nor by its retry',
    async () => {
      requireData(await api.post('/v1/commerce/products', { name: 'A course' }));
      const abandoned = await records(endpoints.length, 'status=abandoned');
      const all = await listAllRecords(api, 'test=false');

      expect(new Set(abandoned.map(({ endpoint }) => endpoint.id))).toEqual(new Set(endpoints));
      expect([all.length, all.filter(wasSent)]).toEqual([2 * endpoints.length, []]);
    },
    TIMEOUT_MS,
  );

  it(
    'is not called by a test event',
    async () => {
      const path = (id: string) => `/v1/webhooks/endpoints/${id}/test-events`;
      const outcomes = await mapInBatches(endpoints, async (id) =>
        requireData(await api.post(path(id), undefined, newIdempotencyKey())),
      );

      expect(
        outcomes.filter(
          ({ status, response_status: code, duration_ms: ms }) => status !== 'failed' || code !== 0 || ms !== 0,
        ),
      ).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'is not called by a replay',
    async () => {
      const abandoned = await listAllRecords(api, 'status=abandoned');
      const path = (id: string) => `/v1/webhooks/deliveries/${id}/replay`;
      const replays = await mapInBatches(abandoned, async ({ id }) =>
        requireData(await api.post(path(id), undefined, newIdempotencyKey())),
      );

      expect(replays.length).toBe(endpoints.length);
      expect(replays.filter(wasSent)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'is not called by replay jobs',
    async () => {
      const times = (await records(endpoints.length, 'status=failed&test=false'))
        .slice(0, endpoints.length)
        .map(({ created_at: at }) => at)
        .sort();
      const starts = times.filter((_, i) => i % Math.ceil(times.length / JOBS) === 0);
      const jobs: Body[] = [];
      for (const [i, from] of starts.entries())
        jobs.push(await runJob(from, starts[i + 1] ?? toIso(Date.parse(times.at(-1)) + 1)));

      const sum = (of: 'matched' | 'failed' | 'succeeded') => jobs.reduce((total, job) => total + job[of], 0);
      expect([sum('matched'), sum('failed'), sum('succeeded')]).toEqual([endpoints.length, endpoints.length, 0]);
      for (const { id } of jobs) expect((await listAllRecords(api, `replay_job_id=${id}`)).filter(wasSent)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  /** Runs a job for the replays from one time until just before another, and returns the completed job. */
  async function runJob(from: string, before: string): Promise<Body> {
    const window = { created_from: from, created_to: toIso(Date.parse(before) - 1) };
    const { id } = requireData(await api.post('/v1/webhooks/replay-jobs', window));
    return waitFor(async () => {
      const job = requireData(await api.get(`/v1/webhooks/replay-jobs/${id}`));
      return job.status === 'completed' ? job : null;
    }, TIMEOUT_MS);
  }
});

function wasSent({ response_status, duration_ms, status }: Body): boolean {
  return response_status !== null || duration_ms !== null || status === 'success';
}
