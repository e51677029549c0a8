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

describe('A list that grows during an iteration', () => {
  it('has each item once', async () => {
    const server = await Receiver.start();
    const page = (current_page: number, ...ids: string[]) => {
      const pagination = { current_page, total_pages: 2, per_page: 2, total_count: 4 };
      return respondWith(200, {}, JSON.stringify({ data: ids.map((id) => ({ id })), pagination }));
    };
    server.setResponses('/v1/commerce/orders', page(1, 'ord_3', 'ord_2'));
    server.setResponses('/v1/commerce/orders?page=2', page(2, 'ord_2', 'ord_1'));
    const { orders } = createClient({ baseUrl: server.url(), apiKey: 'sk_test_1' }).commerce;

    expect((await Array.fromAsync(orders.list())).map(({ id }) => id)).toEqual(['ord_3', 'ord_2', 'ord_1']);
    await server.stop();
  });

  it('repeats a filter with several values', async () => {
    const server = await Receiver.start();
    const path = '/v1/webhooks/deliveries?status=failed&status=abandoned';
    server.setResponses(path, respondWith(200, {}, '{"data":[],"pagination":{"has_more":false,"next_cursor":null}}'));
    const { deliveries } = createClient({ baseUrl: server.url(), apiKey: 'sk_test_1' }).webhooks;
    await deliveries.list({ status: ['failed', 'abandoned'] });

    expect(server.requestsFor(path)).toHaveLength(1);
    await server.stop();
  });
});
