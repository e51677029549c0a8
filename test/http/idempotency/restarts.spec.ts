import { rm } from 'node:fs/promises';
import { scaleRuns } from '../../contracts/seed.js';
import { type Api, type ApiResponse, requireData } from '../../support/api.js';
import { createTempFolder, startServiceOn } from '../../support/service.js';
import { type Environment, ServiceProcess } from '../../support/service-process.js';

const PRODUCTS = '/v1/commerce/products';
const ENDPOINTS = '/v1/webhooks/endpoints';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KILL_COUNT = scaleRuns(2);
const REQUESTS_PER_KILL = 30;

let dataDir: string;
let service: ServiceProcess | null = null;
let key: string;
beforeEach(async () => {
  dataDir = await createTempFolder();
});
afterEach(async () => {
  await service?.kill9();
  await rm(dataDir, { recursive: true, force: true });
});

async function startProcess(environment: Environment = {}): Promise<ServiceProcess> {
  service = await ServiceProcess.start(dataDir, { WEBHOOK_ENDPOINT_LIMIT: '1000', ...environment });
  return service;
}

/** Starts the service, after the end of an earlier process, with a clock that is ahead by this time. */
async function startLater(ms: number): Promise<Api> {
  await service?.stop();
  const ahead = `const now = Date.now; Date.now = () => now() + ${ms};`;
  const later = await startProcess({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}` });
  return later.createApi(key);
}

describe('An idempotency key', () => {
  it('is kept for 24 hours, and identifies another request after that', async () => {
    const create = (api: Api) => api.post(PRODUCTS, { name: 'A course' }, { 'idempotency-key': 'daily' });
    const present = await startServiceOn(dataDir);
    key = await present.createKey(await present.createBusiness());
    const first = await create(present.createApi(key));
    await present.close();
    const withinADay = await create(await startLater(DAY_MS - MINUTE_MS));
    const later = await startLater(DAY_MS + MINUTE_MS);
    const afterADay = await create(later);

    expect([first.status, withinADay.text, afterADay.status]).toEqual([201, first.text, 201]);
    expect(requireData(afterADay).id).not.toBe(requireData(first).id);
    expect(requireData(await later.get(PRODUCTS))).toHaveLength(2);
  });
});

interface PlannedRequest {
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

function planRequests(kill: number): PlannedRequest[] {
  return Array.from({ length: REQUESTS_PER_KILL }, (_, i) => {
    const key = `wish-${kill}-${i}`;
    return i % 2 === 0
      ? { path: PRODUCTS, body: { name: key }, key }
      : { path: ENDPOINTS, body: { url: `http://127.0.0.1:9/${key}` }, key };
  });
}

function send({ path, body, key: idempotencyKey }: PlannedRequest): Promise<ApiResponse> {
  return service!.createApi(key).post(path, body, { 'idempotency-key': idempotencyKey });
}

async function countResources(path: string): Promise<number> {
  return (await service!.createApi(key).get(path)).body.pagination.total_count;
}

describe('Requests whose responses were lost in a kill −9', () => {
  it('have one effect and one response each when they are repeated with their keys', async () => {
    key = (await startProcess()).firstKey;
    let lost = 0;
    for (let kill = 1; kill <= KILL_COUNT; kill++) {
      const requests = planRequests(kill);
      const sent = requests.map((each) => send(each).catch(() => null));
      await Promise.race(sent);
      await service!.kill9();
      const outcomes = await Promise.all(sent);
      lost += outcomes.filter((reply) => reply === null).length;
      await startProcess();
      const [again, repeated] = [await Promise.all(requests.map(send)), await Promise.all(requests.map(send))];

      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]));
      expect(repeated.map(({ text }) => text)).toEqual(again.map(({ body }) => JSON.stringify(removeSecret(body))));
      for (const [i, reply] of outcomes.entries())
        if (reply !== null) expect(repeated[i]!.body).toEqual(removeSecret(reply.body));
      expect([await countResources(PRODUCTS), await countResources(ENDPOINTS)]).toEqual([
        (kill * REQUESTS_PER_KILL) / 2,
        (kill * REQUESTS_PER_KILL) / 2,
      ]);
    }
    expect(lost).toBeGreaterThan(0);
  }, 120_000);
});

/** Removes the secret, which only the first response contains. */
function removeSecret({ data: { signing_secret: _, ...data } }: ApiResponse['body']): object {
  return { data };
}
