import { randomInt } from 'node:crypto';
import { fieldsFor } from '../../src/http/validation/body-fields.js';
import { scaleRuns } from '../contracts/seed.js';
import { requireData } from '../support/api.js';
import { findDeclaredOperation } from '../support/declared-codes.js';
import { RouteList } from '../support/routes.js';
import { type Service, startService } from '../support/service.js';
import { findBodyClasses } from './support/body-classes.js';
import { Fuzzer, type Vocabulary } from './support/fuzzer.js';
import { validateProblem } from './support/problems.js';
import { type RawReply, sendRaw, sendRawAndEnd } from './support/raw-http.js';

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? scaleRuns(4_000));
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 31));
/** The distance of seeds, so that consecutive numbers draw different requests. */
const SEED_STEP = 0x9e3779b1;
const CONCURRENCY = 16;
const MAX_REPORTED = 2_000;
const MINUTE_MS = 60_000;
const FEW_DELIVERIES = { WEBHOOK_ENDPOINT_LIMIT: '2' };

let service: Service;
let vocabulary: Vocabulary;
beforeAll(async () => {
  service = await startService(FEW_DELIVERIES, [RouteList]);
  vocabulary = await createVocabulary(service);
});
afterAll(() => service.stop());

/** Creates credentials, an id of every resource, and the names of all fields of bodies. */
async function createVocabulary(service: Service): Promise<Vocabulary> {
  const business = await service.createBusiness();
  const secret = await service.createKey(business);
  const others = [{ mode: 'test' }, { access: 'read_only' }] as const;
  const credentials = await Promise.all([
    ...others.map((options) => service.createKey(business, options)),
    service.signToken('owner'),
  ]);
  const bodies = new Map<string, object>([
    ['/v1/commerce/products', { name: 'A course', plans: [{ kind: 'one_time', amount_cents: 2500, currency: 'EUR' }] }],
    ['/v1/commerce/carts', { buyer: { email: 'ada@example.com', name: 'Ada' } }],
    ['/v1/webhooks/endpoints', { url: 'http://127.0.0.1:9/hook' }],
    ['/v1/community/communities', { name: 'Potters' }],
  ]);
  const ids = await Promise.all(
    [...bodies].map(async ([path, body]) => requireData(await service.createApi(secret).post(path, body)).id as string),
  );
  const mostly = Array<string>(8).fill(secret);
  return {
    routes: service.get(RouteList).routes,
    fields: await findFieldNames(),
    ids: [...ids, business.id],
    credentials: [...mostly, ...credentials, 'sk_live_x'],
    bodies,
  };
}

async function findFieldNames(): Promise<string[]> {
  return [...new Set((await findBodyClasses()).flatMap((type) => [...fieldsFor(type).keys()]))];
}

/** Returns the errors in the response to a request, with the request. */
async function checkReply(number: number, statuses: Map<number, number>): Promise<string[]> {
  const { bytes, isComplete } = new Fuzzer(Math.imul(SEED + number, SEED_STEP) >>> 0, vocabulary).createRequest();
  const reply = await (isComplete ? sendRaw(service.url, bytes) : sendRawAndEnd(service.url, bytes));
  statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
  const text = bytes.toString().slice(0, MAX_REPORTED);
  const faults = findErrors(reply, isComplete, text.startsWith('HEAD '));
  if (faults.length === 0 && isComplete) faults.push(...findUndeclaredCode(reply, text));
  return faults.map((fault) => `request ${number}, ${fault}: ${text}`);
}

function findErrors(reply: RawReply, whole: boolean, isHead: boolean): string[] {
  if (reply.status >= 500) return [`${reply.status} ${reply.body}`];
  if (reply.status < 400 || isHead) return reply.status === 0 && whole ? ['no answer'] : [];
  return validateProblem(reply);
}

/** Returns the code of a problem that the operation does not declare. */
function findUndeclaredCode({ status, body }: RawReply, request: string): string[] {
  if (status < 400 || body === '') return [];
  const { code } = JSON.parse(body) as { readonly code: string };
  const [method, target] = request.split(' ');
  const operation = findDeclaredOperation(method!, target!);
  return operation === null || operation.codes.has(code) ? [] : [`${code} is not declared`];
}

describe(`${REQUESTS} nearly valid requests (FUZZ_SEED=${SEED})`, () => {
  it(
    'get valid responses, and never a 5xx',
    async () => {
      const [faults, statuses] = [[] as string[], new Map<number, number>()];
      let next = 0;
      const ask = async () => {
        while (next < REQUESTS && faults.length < 10) faults.push(...(await checkReply(next++, statuses)));
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, ask));

      expect(faults).toEqual([]);
      expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 405, 415, 422]));
      expect(
        (await sendRaw(service.url, 'GET /problems/not_found HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).status,
      ).toBe(200);
    },
    10 * MINUTE_MS,
  );
});
