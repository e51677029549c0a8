import { rm } from 'node:fs/promises';
import { runs } from '../contracts/seed.js';
import { dataOf, type Api, type Reply } from '../support/api.js';
import { freshFolder } from '../support/service.js';
import { ServiceProcess, type Environment } from '../support/service-process.js';

const PRODUCTS = '/v1/commerce/products';
const ENDPOINTS = '/v1/webhooks/endpoints';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const KILLS = runs(2);
const WISHES = 30;

let dataDir: string;
let service: ServiceProcess;
let key: string;
beforeEach(async () => {
  dataDir = await freshFolder();
  await live();
  key = service.firstKey;
});
afterEach(async () => {
  await service.kill9();
  await rm(dataDir, { recursive: true, force: true });
});

async function live(environment: Environment = {}): Promise<void> {
  service = await ServiceProcess.start(dataDir, { WEBHOOK_ENDPOINT_LIMIT: '1000', ...environment });
}

/** Restarts the service with a clock that is ahead by this time. */
async function liveLater(ms: number): Promise<Api> {
  await service.stop();
  const ahead = `const now = Date.now; Date.now = () => now() + ${ms};`;
  await live({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(ahead)}` });
  return service.api(key);
}

describe('An idempotency key', () => {
  it('is kept for 24 hours, and identifies another request after that', async () => {
    const create = (api: Api) => api.post(PRODUCTS, { name: 'A course' }, { 'idempotency-key': 'daily' });
    const first = await create(service.api(key));
    const withinADay = await create(await liveLater(DAY_MS - MINUTE_MS));
    const afterADay = await create(await liveLater(DAY_MS + MINUTE_MS));

    expect([first.status, withinADay.text, afterADay.status]).toEqual([201, first.text, 201]);
    expect(dataOf(afterADay).id).not.toBe(dataOf(first).id);
    expect(dataOf(await service.api(key).get(PRODUCTS))).toHaveLength(2);
  });
});

interface Wish {
  readonly path: string;
  readonly body: object;
  readonly key: string;
}

function wishesOf(kill: number): Wish[] {
  return Array.from({ length: WISHES }, (_, i) => {
    const key = `wish-${kill}-${i}`;
    return i % 2 === 0
      ? { path: PRODUCTS, body: { name: key }, key }
      : { path: ENDPOINTS, body: { url: `http://127.0.0.1:9/${key}` }, key };
  });
}

function wish({ path, body, key: idempotencyKey }: Wish): Promise<Reply> {
  return service.api(key).post(path, body, { 'idempotency-key': idempotencyKey });
}

async function countOf(path: string): Promise<number> {
  return (await service.api(key).get(path)).body.pagination.total_count;
}

describe('Requests whose responses were lost in a kill −9', () => {
  it('have one effect and one response each when they are repeated with their keys', async () => {
    let lost = 0;
    for (let kill = 1; kill <= KILLS; kill++) {
      const wishes = wishesOf(kill);
      const sent = wishes.map((each) => wish(each).catch(() => null));
      await Promise.race(sent);
      await service.kill9();
      const told = await Promise.all(sent);
      lost += told.filter((reply) => reply === null).length;
      await live();
      const [again, repeated] = [await Promise.all(wishes.map(wish)), await Promise.all(wishes.map(wish))];

      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]));
      expect(repeated.map(({ text }) => text)).toEqual(again.map(({ body }) => JSON.stringify(withoutSecret(body))));
      for (const [i, reply] of told.entries()) if (reply !== null) expect(repeated[i]!.body).toEqual(withoutSecret(reply.body));
      expect([await countOf(PRODUCTS), await countOf(ENDPOINTS)]).toEqual([(kill * WISHES) / 2, (kill * WISHES) / 2]);
    }
    expect(lost).toBeGreaterThan(0);
  }, 120_000);
});

/** Removes the secret, which only the first response contains. */
function withoutSecret({ data: { signing_secret: _, ...data } }: Reply['body']): object {
  return { data };
}
