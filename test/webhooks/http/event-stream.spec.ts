import type { Api } from '../../support/api.js';
import { requireData } from '../../support/api.js';
import { EventReader } from '../../support/event-reader.js';
import { eventually } from '../../support/eventually.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';
import { waitFor } from '../webhook-fixture.js';

const PATH = '/v1/webhooks/events/stream';

let service: Service;
let business: TestBusiness;
let key: string;
let api: Api;
let readers: EventReader[];
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  business = await service.createBusiness();
  key = await service.createKey(business);
  api = service.createApi(key);
  readers = [];
});
afterEach(() => Promise.all(readers.map((reader) => reader.cut())));

async function read(query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(service.url + PATH + query, { authorization: `Bearer ${key}`, ...headers });
  readers.push(reader);
  return reader;
}

/** Resolves when the event of the new product is published. */
async function publish(name = 'A course'): Promise<string> {
  const id = requireData(await api.post('/v1/commerce/products', { name })).id as string;
  await waitFor(async () => {
    const events = requireData(await api.get(`/v1/webhooks/events?resource=${id}`)) as unknown[];
    return events.length === 0 ? null : true;
  });
  return id;
}

const resourcesOf = (reader: EventReader) => reader.messages.map(({ data }) => data.data.id as string);

describe('The event stream', () => {
  it('sends the envelope of each event that is published from now on', async () => {
    await publish('Before');
    const reader = await read();
    const product = await publish('After');
    const [message] = await reader.waitFor(1);

    expect(Object.fromEntries(reader.response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^req_/),
    });
    expect(reader.text).toMatch(/^retry: 2000\n\n/);
    expect(message).toEqual({
      id: message!.data.id,
      event: 'product.review_requested',
      data: {
        id: expect.stringMatching(/^evt_/),
        type: 'product.review_requested',
        version: '1',
        occurred_at: expect.any(String),
        sequence: 2,
        created_at: expect.any(String),
        delivery_id: expect.stringMatching(/^whd_/),
        attempt: 1,
        test: false,
        changes: null,
        data: expect.objectContaining({ id: product, name: 'After' }),
      },
    });
  });

  it('continues after the event that a header or a parameter names; the header wins', async () => {
    const products: string[] = [];
    for (let count = 1; count <= 3; count++) products.push(await publish(`Product ${count}`));
    const first = await read();
    products.push(await publish('Product 4'));
    const [last] = await first.waitFor(1);
    const listed = requireData(await api.get('/v1/webhooks/events')) as { id: string; data: { id: string } }[];
    const [one, two] = products.map((id) => listed.find(({ data }) => data.id === id)!.id);

    const resumed = await read(`?after=${one}`);
    await resumed.waitFor(3);
    expect(resourcesOf(resumed)).toEqual(products.slice(1));
    const named = await read(`?after=${one}`, { 'last-event-id': two! });
    await named.waitFor(2);
    expect(resourcesOf(named)).toEqual(products.slice(2));
    const current = await read(`?after=${last!.id}`);
    products.push(await publish('Product 5'));
    await Promise.all([resumed.waitFor(4), named.waitFor(3), current.waitFor(1)]);
    expect([resumed, named, current].map(resourcesOf)).toEqual([1, 2, 4].map((start) => products.slice(start)));
  });

  it('has all events after the start', async () => {
    const products = [await publish('Product A'), await publish('Product B')];
    const all = await read('?after=start');
    const known = requireData(await api.get('/v1/webhooks/events?limit=100')).length;
    await all.waitFor(known);
    expect(resourcesOf(all).slice(-2)).toEqual(products);
  });

  it('sends only the selected types and resources', async () => {
    const [wanted, other] = [await publish(), await publish()];
    const types = await read('?event_type=product.approved&event_type=product.denied');
    const resource = await read(`?resource=${other}`);
    const reviewer = service.createApi(await service.signToken('reviewer', { reviewer: true }));
    await reviewer.post(`/v1/commerce/products/${wanted}/approve`);
    await types.waitFor(1);
    await reviewer.post(`/v1/commerce/products/${other}/approve`);
    await Promise.all([types.waitFor(2), resource.waitFor(1)]);

    expect(resourcesOf(types)).toEqual([wanted, other]);
    expect(types.messages.map(({ event }) => event)).toEqual(['product.approved', 'product.approved']);
    expect(resourcesOf(resource)).toEqual([other]);
  });

  it('rejects unknown filters and ids of another business or mode', async () => {
    const foreigner = service.createApi(await service.createKey(await service.createBusiness('Another')));
    requireData(await foreigner.post('/v1/commerce/products', { name: 'Foreign' }));
    const [foreign] = await eventually(
      async () => requireData(await foreigner.get('/v1/webhooks/events')) as { id: string }[],
      ({ length }) => length > 0,
    );
    const responses = [
      await api.get(`${PATH}?event_type=nonsense`),
      await api.get(`${PATH}?nonsense=1`),
      await api.get(`${PATH}?after=evt_1`),
      await api.get(PATH, { 'last-event-id': foreign!.id }),
    ];

    expect(responses.map(({ status, body }) => [status, body.code])).toEqual(
      responses.map(() => [400, 'invalid_parameter']),
    );
  });

  it('is open to read-only keys, and to each mode on its own', async () => {
    const readOnly = await EventReader.open(service.url + PATH, {
      authorization: `Bearer ${await service.createKey(business, { access: 'read_only' })}`,
    });
    const test = await EventReader.open(service.url + PATH, {
      authorization: `Bearer ${await service.createKey(business, { mode: 'test' })}`,
    });
    readers.push(readOnly, test);
    await publish();
    await readOnly.waitFor(1);

    expect([readOnly, test].map(({ messages }) => messages.length)).toEqual([1, 0]);
  });

  it('is limited to 20 streams of a business; a closed one leaves room', async () => {
    const open = await Promise.all(Array.from({ length: 20 }, () => read()));
    const refused = await api.get(PATH);
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limited',
      '60',
    ]);

    await open[0]!.cut();
    let next = await read();
    while (next.response.status === 429) next = await read();
    expect(next.response.status).toBe(200);
  });
});
