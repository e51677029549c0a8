import { type Client, createClient, isProblem, ProblemError } from '../../../clients/typescript/src/index.ts';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';

const PLAN = { kind: 'one_time', amount_cents: 100, currency: 'EUR' } as const;
const KEY = Buffer.alloc(32, 'k').toString('base64');
const KEYS = { MASTER_KEY: KEY, KEY_PEPPER: KEY };

let service: Service;
let apiKey: string;
let client: Client;
beforeAll(async () => {
  service = await startService(KEYS);
});
afterAll(() => service.stop());
beforeEach(async () => {
  apiKey = await service.createKey(await service.createBusiness());
  client = createClient({ baseUrl: service.url, apiKey });
});

describe('A write of the client', () => {
  it('takes effect once when its response is lost', async () => {
    let lost = 0;
    const losing = createClient({
      baseUrl: service.url,
      apiKey,
      backoffMs: 1,
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        if (lost++ > 0) return response;
        throw new TypeError('fetch failed');
      },
    });
    const { data, status, isReplayed } = await losing.commerce.products
      .create({ name: 'A course', plans: [PLAN] })
      .withResponse();

    expect([status, isReplayed]).toEqual([201, true]);
    expect((await client.commerce.products.list()).data.map(({ id }) => id)).toEqual([data.id]);
  });

  it('takes effect once when two calls with its key run at the same time', async () => {
    const create = () =>
      client.commerce.products.create({ name: 'A course', plans: [PLAN] }, { idempotencyKey: 'first', backoffMs: 1 });
    const [first, second] = await Promise.all([create(), create()]);

    expect(second.id).toBe(first.id);
    expect((await client.commerce.products.list()).data).toHaveLength(1);
  });

  it('fails with the typed problem of the service', async () => {
    const error: unknown = await client.commerce.products
      .create({ name: '', plans: [PLAN] })
      .catch((failure: unknown) => failure);

    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({
      code: 'validation_failed',
      status: 422,
      requestId: expect.stringMatching(/^req_/),
      problem: { errors: [{ param: 'name' }] },
      message: expect.stringMatching(/^422 validation_failed: .*name: /),
      idempotencyKey: expect.any(String),
    });
    expect(isProblem(error, 'not_found', 'validation_failed')).toBe(true);
    expect(isProblem(error, 'not_found')).toBe(false);
  });

  it('is seen by a read on another process', async () => {
    const another = await service.startAnother(KEYS);
    const spread = createClient({
      baseUrl: service.url,
      apiKey,
      fetch: (address, init) =>
        fetch(init?.method === 'GET' ? (address as string).replace(service.url, another.running.url) : address, init),
    });
    const { products } = spread.commerce;
    for (let count = 1; count <= 20; count++) {
      await products.create({ name: `Product ${count}`, plans: [PLAN] });
      expect((await products.list()).pagination.total_count).toBe(count);
    }
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => products.create({ name: `More ${index}`, plans: [PLAN] })),
    );
    expect((await products.list()).pagination.total_count).toBe(30);
    await another.running.close();
  });
});

describe('The Consistency-Tokens of the client', () => {
  let server: Receiver;
  beforeEach(async () => {
    server = await Receiver.start();
  });
  afterEach(() => server.stop());

  it('are those of the last write and of the writes that ran at the same time', async () => {
    const write = (token: string) => respondWith(200, { 'consistency-token': token }, '{"data":{}}');
    const sent: string[] = [];
    let release = (): void => undefined;
    server.setResponses('/v1/commerce/products/slow', (request, response) => {
      release = () => write('slow')(request, response);
    });
    server.setResponses('/v1/commerce/products/one', write('one'));
    server.setResponses('/v1/commerce/products/two', write('two'));
    server.setResponses('/v1/auth/me', respondWith(200, { 'consistency-token': 'of a read' }, '{"data":{}}'));
    const { commerce, identity } = createClient({ baseUrl: server.url(), apiKey: 'sk_test_1' });
    const read = async () => {
      await identity.caller.retrieve();
      sent.push((server.requests.at(-1)!.headers['consistency-token'] as string | undefined) ?? 'none');
    };

    await read();
    await commerce.products.update('one', {});
    await read();
    const slow = commerce.products.update('slow', {}).withResponse();
    await server.waitForRequests('/v1/commerce/products/slow');
    await commerce.products.update('two', {});
    release();
    await slow;
    await read();
    await commerce.products.update('one', {});
    await read();

    expect(sent).toEqual(['none', 'one', 'two, slow', 'one']);
  });
});
