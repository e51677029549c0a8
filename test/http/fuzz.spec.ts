import { randomInt } from 'node:crypto';
import { fieldsOf } from '../../src/http/body-fields.js';
import { runs } from '../contracts/seed.js';
import { RouteList } from '../support/routes.js';
import { dataOf } from '../support/api.js';
import { startService, type Service } from '../support/service.js';
import { bodyClasses } from './support/body-classes.js';
import { Fuzzer, type Vocabulary } from './support/fuzzer.js';
import { faultsOfProblem } from './support/problems.js';
import { endedOnTheWire, onTheWire, type RawReply } from './support/wire.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? runs(4_000));
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
/** The distance of seeds, so that consecutive numbers draw different requests. */
const SPREAD = 0x9e3779b1;
const AT_ONCE = 16;
const SHOWN = 2_000;
const MINUTES = 60_000;
const FEW_DELIVERIES = { WEBHOOK_ENDPOINT_LIMIT: '2' };

let service: Service;
let vocabulary: Vocabulary;
beforeAll(async () => {
  service = await startService(FEW_DELIVERIES, [RouteList]);
  vocabulary = await vocabularyOf(service);
});
afterAll(() => service.stop());

/** Creates credentials, an id of every resource, and the names of all fields of bodies. */
async function vocabularyOf(service: Service): Promise<Vocabulary> {
  const business = await service.business();
  const secret = await service.key(business);
  const others = [{ mode: 'test' }, { access: 'read_only' }] as const;
  const credentials = await Promise.all([...others.map((wish) => service.key(business, wish)), service.token('owner')]);
  const bodies = new Map<string, object>([
    ['/v1/commerce/products', { name: 'A course', plans: [{ kind: 'one_time', amount_cents: 2500, currency: 'EUR' }] }],
    ['/v1/commerce/carts', { buyer: { email: 'ada@example.com', name: 'Ada' } }],
    ['/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' }],
    ['/v1/community/communities', { name: 'Potters' }],
  ]);
  const ids = await Promise.all([...bodies].map(async ([path, body]) => dataOf(await service.api(secret).post(path, body)).id as string));
  const mostly = Array<string>(8).fill(secret);
  return {
    routes: service.get(RouteList).routes,
    fields: await fieldNames(),
    ids: [...ids, business.id],
    credentials: [...mostly, ...credentials, 'sk_live_x'],
    bodies,
  };
}

async function fieldNames(): Promise<string[]> {
  return [...new Set((await bodyClasses()).flatMap((type) => [...fieldsOf(type).keys()]))];
}

/** Returns the errors in the response to a request, with the request. */
async function faultsOf(number: number, statuses: Map<number, number>): Promise<string[]> {
  const { bytes, whole } = new Fuzzer(Math.imul(SEED + number, SPREAD) >>> 0, vocabulary).request();
  const reply = await (whole ? onTheWire(service.url, bytes) : endedOnTheWire(service.url, bytes));
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  const text = bytes.toString().slice(0, SHOWN);
  return faultsIn(reply, whole, text.startsWith('HEAD ')).map((fault) => `request ${number}, ${fault}: ${text}`);
}

function faultsIn(reply: RawReply, whole: boolean, isHead: boolean): string[] {
  if (reply.status >= 500) return [`${reply.status} ${reply.body}`];
  if (reply.status < 400 || isHead) return reply.status === 0 && whole ? ['no answer'] : [];
  return faultsOfProblem(reply);
}

describe(`${REQUESTS} nearly valid requests (FUZZ_SEED=${SEED})`, () => {
  it(
    'get valid responses, and never a 5xx',
    async () => {
      const [faults, statuses] = [[] as string[], new Map<number, number>()];
      let next = 0;
      const ask = async () => {
        while (next < REQUESTS && faults.length < 10) faults.push(...(await faultsOf(next++, statuses)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, ask));

      expect(faults).toEqual([]);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 415, 422]));
      expect((await onTheWire(service.url, 'GET /problems/not_found HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).status).toBe(200);
    },
    10 * MINUTES,
  );
});
