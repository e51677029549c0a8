import { type Client, createClient } from '../../../clients/typescript/src/index.ts';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { respondWith } from '../../support/receiver-responses.js';
import { type Service, startService } from '../../support/service.js';

const PLAN = { kind: 'one_time', amount_cents: 100, currency: 'EUR' } as const;

describe('A list of the client', () => {
  let service: Service;
  let client: Client;
  let names: string[];
  beforeAll(async () => {
    service = await startService();
    client = createClient({ baseUrl: service.url, apiKey: await service.createKey(await service.createBusiness()) });
    names = Array.from({ length: 7 }, (_, index) => `Product ${index}`);
    for (const name of names) await client.commerce.products.create({ name, plans: [PLAN] });
  });
  afterAll(() => service.stop());

  it('is one page when it is awaited', async () => {
    const { data, pagination } = await client.commerce.products.list({ per_page: 3, page: 2 });

    expect(data.map(({ name }) => name)).toEqual(['Product 3', 'Product 2', 'Product 1']);
    expect(pagination).toEqual({ total_pages: 3, current_page: 2, per_page: 3, total_count: 7 });
  });

  it('has the items of all pages when it is iterated, each time again', async () => {
    const list = client.commerce.products.list({ per_page: 3 });
    const iterations = [await Array.fromAsync(list), await Array.fromAsync(list)];

    expect(iterations.map((items) => items.map(({ name }) => name))).toEqual([names.toReversed(), names.toReversed()]);
  });

  it('has the items of all slices when it is iterated', async () => {
    const events = await eventually(
      () => Array.fromAsync(client.webhooks.events.list({ limit: 2, event_type: ['product.review_requested'] })),
      ({ length }) => length === names.length,
    );

    expect(events.map(({ type }) => type)).toEqual(Array(7).fill('product.review_requested'));
    expect(new Set(events.map(({ id }) => id)).size).toBe(7);
  });

  it('becomes an array of at most so many items, and requests no page beyond them', async () => {
    const sent: string[] = [];
    const recording = createClient({
      baseUrl: service.url,
      apiKey: await service.createKey(await service.createBusiness('Counted')),
      onRequest: ({ method }) => void sent.push(method),
    });
    for (const name of names.slice(0, 5)) await recording.commerce.products.create({ name });
    sent.length = 0;
    const list = recording.commerce.products.list({ per_page: 2 });
    const arrays = [await list.toArray({ limit: 4 }), await list.toArray({ limit: 0 })];

    expect(arrays.map((each) => each.map(({ name }) => name))).toEqual([names.slice(1, 5).toReversed(), []]);
    expect(sent).toEqual(['GET', 'GET']);
    expect(await list.toArray({ limit: 100 })).toHaveLength(5);
  });

  it.each([-1, Number.NaN, undefined])('needs a limit to become an array, not %p', async (limit) =>
    expect(client.commerce.products.list().toArray({ limit: limit as number })).rejects.toThrow(RangeError),
  );

  it('can be read page by page', async () => {
    const pages = await Array.fromAsync(client.commerce.products.list({ per_page: 4 }).pages());

    expect(pages.map(({ data }) => data.length)).toEqual([4, 3]);
  });

  it('sends nothing before it is used, and stops when the loop stops', async () => {
    const sent: string[] = [];
    const recording = createClient({
      baseUrl: service.url,
      apiKey: await service.createKey(await service.createBusiness('Another')),
      fetch: (address, init) => {
        sent.push(address as string);
        return fetch(address, init);
      },
    });
    const list = recording.identity.apiKeys.list();
    expect(sent).toEqual([]);
    await list.catch(() => undefined);

    expect(sent).toHaveLength(1);
  });

  it('is empty without items', async () =>
    expect(await Array.fromAsync(client.commerce.orders.list({ buyer_email: 'absent@example.com' }))).toEqual([]));
});

describe('A list of a server', () => {
  let server: Receiver;
  beforeEach(async () => {
    server = await Receiver.start();
  });
  afterEach(() => server.stop());

  const connect = () => createClient({ baseUrl: server.url(), apiKey: 'sk_test_1' });

  /** Iterates a list of these pages. */
  async function iterate(...pages: string[][]): Promise<string[]> {
    for (const [index, ids] of pages.entries()) {
      const pagination = { current_page: index + 1, total_pages: pages.length, per_page: 100, total_count: 1 };
      const body = JSON.stringify({ data: ids.map((id) => ({ id })), pagination });
      server.setResponses(`/v1/commerce/orders${index === 0 ? '' : `?page=${index + 1}`}`, respondWith(200, {}, body));
    }
    return (await Array.fromAsync(connect().commerce.orders.list())).map(({ id }) => id);
  }

  it('has each item once when items move to later pages', async () =>
    expect(await iterate(['ord_3', 'ord_2'], ['ord_2', 'ord_1'])).toEqual(['ord_3', 'ord_2', 'ord_1']));

  it('has each of 501 items once when one item moves from each page to the next', async () => {
    const ids = Array.from({ length: 501 }, (_, index) => `ord_${501 - index}`);
    const pages = Array.from({ length: 6 }, (_, index) => ids.slice(index * 99, index * 99 + 100));

    expect(await iterate(...pages)).toEqual(ids);
  });

  it('has each item once when a whole page moves to the next', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `ord_${200 - index}`);

    expect(await iterate(ids.slice(0, 100), ids.slice(0, 100), ids.slice(100))).toEqual(ids);
  });

  it('has every item when the items have no id', async () => {
    const pagination = { current_page: 1, total_pages: 1, per_page: 100, total_count: 2 };
    const body = JSON.stringify({ data: [{ name: 'one' }, { name: 'two' }], pagination });
    server.setResponses('/v1/commerce/orders', respondWith(200, {}, body));

    expect(await Array.fromAsync(connect().commerce.orders.list())).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  it.each([
    ['it has no more', '{"has_more":false,"next_cursor":"whd_1"}'],
    ['it names no next one', '{"has_more":true,"next_cursor":null}'],
  ])('ends with a slice when %s', async (_, pagination) => {
    const slice = `{"data":[{"id":"whd_1"}],"pagination":${pagination}}`;
    server.setResponses('/v1/webhooks/deliveries', respondWith(200, {}, slice));

    expect(await Array.fromAsync(connect().webhooks.deliveries.list())).toHaveLength(1);
    expect(server.requests).toHaveLength(1);
  });

  it('remembers the last 500 items', async () => {
    const ids = Array.from({ length: 502 }, (_, index) => `ord_${502 - index}`);

    expect(await iterate(ids.slice(0, 501), ids.slice(1))).toEqual(ids);
  });

  it('fails when the next slice is the same one again', async () => {
    const slice = respondWith(200, {}, '{"data":[{"id":"whd_1"}],"pagination":{"has_more":true,"next_cursor":"same"}}');
    server.setResponses('/v1/webhooks/deliveries', slice);
    server.setResponses('/v1/webhooks/deliveries?after=same', slice);

    await expect(Array.fromAsync(connect().webhooks.deliveries.list())).rejects.toThrow('names itself as the next');
    expect(server.requests).toHaveLength(2);
  });

  it('fails when the next page is the same one again', async () => {
    const first = { current_page: 1, total_pages: 3, per_page: 1, total_count: 3 };
    const page = respondWith(200, {}, JSON.stringify({ data: [{ id: 'ord_1' }], pagination: first }));
    server.setResponses('/v1/commerce/orders', page);
    server.setResponses('/v1/commerce/orders?page=2', page);

    await expect(Array.fromAsync(connect().commerce.orders.list())).rejects.toThrow('names itself as the next');
  });

  it('repeats a filter with several values', async () => {
    const path = '/v1/webhooks/deliveries?status=failed&status=abandoned';
    server.setResponses(path, respondWith(200, {}, '{"data":[],"pagination":{"has_more":false,"next_cursor":null}}'));
    const { deliveries } = connect().webhooks;
    await deliveries.list({ status: ['failed', 'abandoned'] });

    expect(server.requestsFor(path)).toHaveLength(1);
  });
});
