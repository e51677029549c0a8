import { type Api, requireData } from '../../support/api.js';
import { forgetAddress } from '../../support/forget.js';
import { type Service, startService, type TestBusiness } from '../../support/service.js';

const EVENTS = '/v1/audit/events';

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly position: string;
  readonly recorded_at: string;
  readonly correlation_id: string;
}

let service: Service;
let business: TestBusiness;
let seller: Api;
beforeAll(async () => {
  service = await startService();
  business = await service.createBusiness();
  seller = service.createApi(await service.createKey(business));
});
afterAll(() => service.stop());

/** Records `count` events, each by one request. */
async function createProducts(count: number, api = seller): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 1; n <= count; n++)
    ids.push(requireData(await api.post('/v1/commerce/products', { name: `Product ${n}` })).id as string);
  return ids;
}

async function list(query = '', api = seller): Promise<Entry[]> {
  return requireData(await api.get(`${EVENTS}?limit=100&${query}`)) as Entry[];
}

/** Reads all pages of a walk; `between` runs after each page. */
async function walk(
  api: Api,
  path: string,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await api.get(`${path}${cursor && `&after=${cursor}`}`);
    entries.push(...(body.data as Entry[]));
    cursor = body.pagination.next_cursor as string | null;
    await between();
  }
  return entries;
}

describe('An entry of the change history', () => {
  it('says who did what, when and why', async () => {
    const reply = await seller.post('/v1/commerce/products', { name: 'Clay' }, { 'x-request-id': 'first-request' });
    const { id } = requireData(reply);

    expect((await list(`resource=${id}`)).at(-1)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      object: 'audit_event',
      type: 'ProductCreated',
      stream: `product-${id}`,
      revision: 0,
      position: expect.any(String),
      recorded_at: expect.stringMatching(/Z$/),
      actor: { type: 'api_key', id: expect.stringMatching(/^key_/) },
      business: { object: 'business', id: business.id },
      mode: 'live',
      resource: { object: 'product', id },
      correlation_id: 'first-request',
      causation_id: 'first-request',
      request_id: 'first-request',
      command: 'CreateProduct',
    });
  });

  it('has the resource before and after it, with the fields that it changed', async () => {
    const [id] = await createProducts(1);
    await seller.patch(`/v1/commerce/products/${id}`, { name: 'Glaze', metadata: { colour: 'blue' } });
    const [edited, created] = await list(`resource=${id}&type=ProductEdited&type=ProductCreated`);

    const first = requireData(await seller.get(`${EVENTS}/${created!.id}`));
    expect(first).toMatchObject({ id: created!.id, type: 'ProductCreated', before: null, data: { name: 'Product 1' } });
    expect(first.after).toMatchObject({ id, object: 'product', name: 'Product 1' });
    expect(first.changes.name).toEqual({ before: null, after: 'Product 1' });

    const second = requireData(await seller.get(`${EVENTS}/${edited!.id}`));
    expect(second.before).toMatchObject({ id, name: 'Product 1', metadata: {} });
    expect(second.after).toMatchObject({ id, name: 'Glaze', metadata: { colour: 'blue' } });
    expect(second.changes).toMatchObject({
      name: { before: 'Product 1', after: 'Glaze' },
      metadata: { before: {}, after: { colour: 'blue' } },
    });
    expect(second.changes).not.toHaveProperty('created_at');
  });

  it('shows personal fields, but no secret', async () => {
    const cart = requireData(await seller.post('/v1/commerce/carts', { buyer: { email: 'ada@example.com' } }));
    const [created] = await list(`resource=${cart.id}&order=asc`);

    const detail = await seller.get(`${EVENTS}/${created!.id}`);
    expect(requireData(detail)).toMatchObject({ type: 'CartCreated', data: { buyer: { email: 'ada@example.com' } } });
    expect(detail.text).not.toMatch(/tokenHash|"box"/);
  });

  it('is not found by another business or in another mode', async () => {
    const [id] = await createProducts(1);
    const [entry] = await list(`resource=${id}`);
    const other = service.createApi(await service.createKey(await service.createBusiness('Another', 'other')));
    const tester = service.createApi(await service.createKey(business, { mode: 'test' }));

    for (const api of [other, tester]) {
      expect(await list(`resource=${id}`, api)).toEqual([]);
      for (const path of [
        `${EVENTS}/${entry!.id}`,
        `/v1/audit/resources/${id}`,
        `/v1/audit/resources/${id}/history`,
        `/v1/audit/correlations/${entry!.correlation_id}`,
      ])
        expect((await api.get(path)).body).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('The list of events', () => {
  it('is filtered by resource, actor, types, correlation and time, in both orders', async () => {
    const key = service.createApi(await service.createKey(business));
    const [first, second] = await createProducts(2, key);
    const mine = await list(`resource=${first}`);
    const actor = requireData(await key.get('/v1/auth/me')).actor.id as string;

    const types = 'type=ProductCreated&type=PlanAdded';
    expect((await list(`actor=${actor}&${types}&order=asc`)).map(({ type }) => type)).toEqual([
      'ProductCreated',
      'ProductCreated',
    ]);
    expect((await list(`actor=${actor}`)).map(({ position }) => position)).toEqual(
      (await list(`actor=${actor}&order=asc`)).map(({ position }) => position).reverse(),
    );
    const correlated = await list(`correlation_id=${mine[0]!.correlation_id}`);
    expect(correlated.map(({ id }) => id)).toEqual(expect.arrayContaining(mine.map(({ id }) => id)));
    const at = mine.at(-1)!.recorded_at;
    expect(await list(`resource=${first}&recorded_from=${at}`)).toEqual(mine);
    expect(await list(`resource=${second}&recorded_to=2020-01-01`)).toEqual([]);
    expect(await list(`resource=${second}&recorded_from=2100-01-01`)).toEqual([]);
  });

  it.each(['type=Unknown', 'order=up', 'after=forged', 'recorded_from=monday', 'from=2026-01-01'])(
    'rejects %s',
    async (query) =>
      expect((await seller.get(`${EVENTS}?${query}`)).body).toMatchObject({ status: 400, code: 'invalid_parameter' }),
  );

  it.each(['asc', 'desc'])('is complete when read page by page while events are recorded: %s', async (order) => {
    const api = service.createApi(await service.createKey(await service.createBusiness('Walked', `owner-${order}`)));
    await createProducts(4, api);
    const before = await list('order=asc', api);

    const walked = await walk(api, `${EVENTS}?limit=2&order=${order}`, () => createProducts(1, api));
    const inOrder = order === 'asc' ? walked : walked.reverse();
    const head = inOrder.at(-1)!.position;
    const all = (await walk(api, `${EVENTS}?limit=100&order=asc`)).filter(({ position }) => position <= head);
    expect(inOrder).toEqual(all);
    expect(inOrder.map(({ id }) => id)).toEqual(expect.arrayContaining(before.map(({ id }) => id)));
    expect(inOrder.filter(({ type }) => type === 'ProductCreated')).toHaveLength(4);
  });
});

describe('A resource in the change history', () => {
  it('is returned as it was at a position or a time', async () => {
    const [id] = await createProducts(1);
    for (const name of ['Second', 'Third']) await seller.patch(`/v1/commerce/products/${id}`, { name });
    const entries = await list(`resource=${id}&type=ProductCreated&type=ProductEdited&order=asc`);
    const asOf = async (moment: string) => (await seller.get(`/v1/audit/resources/${id}?as_of=${moment}`)).body;

    const names = await Promise.all(entries.map(async ({ position }) => (await asOf(position)).data.name));
    expect(names).toEqual(['Product 1', 'Second', 'Third']);
    expect(requireData(await seller.get(`/v1/audit/resources/${id}`))).toEqual(
      requireData(await seller.get(`/v1/commerce/products/${id}`)),
    );
    expect((await asOf(entries[2]!.recorded_at)).data.name).toBe('Third');
    expect(await asOf('2020-01-01')).toMatchObject({ code: 'not_found' });
    for (const invalid of ['a+b', '2026-13', '12'])
      expect(await asOf(invalid)).toMatchObject({ code: 'invalid_parameter' });
  });

  it('lists its entries in their order, each with the fields that it changed', async () => {
    const [id] = await createProducts(1);
    for (const name of ['Second', 'Third']) await seller.patch(`/v1/commerce/products/${id}`, { name });

    const history = (await walk(seller, `/v1/audit/resources/${id}/history?limit=1`)) as (Entry & {
      readonly changes: Record<string, unknown>;
    })[];
    expect(history.map(({ type, changes }) => [type, changes.name ?? null])).toEqual([
      ['ProductCreated', { before: null, after: 'Product 1' }],
      ['ProductReviewRequested', null],
      ['ProductEdited', { before: 'Product 1', after: 'Second' }],
      ['ProductEdited', { before: 'Second', after: 'Third' }],
    ]);
  });

  it('shows null for a personal field of a forgotten subject', async () => {
    const address = 'grace@example.com';
    const cart = requireData(await seller.post('/v1/commerce/carts', { buyer: { email: address } }));
    const [entry] = await list(`resource=${cart.id}&order=asc`);
    await forgetAddress(service, address);

    const { data, after, changes } = requireData(await seller.get(`${EVENTS}/${entry!.id}`));
    for (const { buyer } of [data, after]) expect(buyer).toMatchObject({ email: null, erased: true });
    expect(JSON.stringify(changes)).not.toContain(address);
  });
});

describe('A correlation in the change history', () => {
  it('is a tree of the commands and events that a request caused', async () => {
    await seller.post('/v1/commerce/products', { name: 'Traced' }, { 'x-request-id': 'traced-request' });
    const { commands, ...rest } = requireData(await seller.get('/v1/audit/correlations/traced-request'));

    expect(rest).toMatchObject({ id: 'traced-request', object: 'audit_correlation', truncated: false });
    expect(commands[0]).toMatchObject({ command: 'CreateProduct', causation_id: 'traced-request' });
    expect(commands[0].events[0]).toMatchObject({ type: 'ProductCreated', object: 'audit_event' });
  });
});

describe('A read of the change history', () => {
  const reads = (api: Api) => list('type=AuditHistoryRead&order=asc', api);

  it('is recorded once for each walk, also for a read-only key', async () => {
    const other = await service.createBusiness('Read', 'reader');
    const writer = service.createApi(await service.createKey(other));
    const reader = service.createApi(await service.createKey(other, { access: 'read_only' }));
    const [id] = await createProducts(1, writer);
    expect(await reads(writer)).toEqual([]);

    const first = (await reader.get(`${EVENTS}?limit=1`)).body;
    await reader.get(`${EVENTS}?limit=1&after=${first.pagination.next_cursor}`);
    const [entry] = first.data as Entry[];
    for (const path of [
      `${EVENTS}/${entry!.id}`,
      `/v1/audit/resources/${id}`,
      `/v1/audit/resources/${id}/history`,
      `/v1/audit/correlations/${entry!.correlation_id}`,
    ])
      requireData(await reader.get(path));

    const details = await Promise.all(
      (await reads(writer)).map(async (read) => requireData(await writer.get(`${EVENTS}/${read.id}`)).data),
    );
    expect(details.map(({ kind, target }) => [kind, target])).toEqual([
      ['events', null],
      ['events', null],
      ['event', entry!.id],
      ['resource', id],
      ['resource_history', id],
      ['correlation', entry!.correlation_id],
    ]);
    expect(details[0].filter).toEqual({ type: ['AuditHistoryRead'], order: 'asc' });
  });

  it('continues only with the cursor of the same business, mode and filter', async () => {
    const other = await service.createBusiness('Other', 'other-reader');
    const foreign = [
      service.createApi(await service.createKey(other)),
      service.createApi(await service.createKey(business, { mode: 'test' })),
    ];
    await createProducts(2);
    const { pagination } = (await seller.get(`${EVENTS}?limit=1&order=asc&recorded_from=2020-01-01`)).body;
    const next = `limit=1&order=asc&after=${pagination.next_cursor}`;

    expect((await seller.get(`${EVENTS}?${next}&recorded_from=2020-01-01`)).status).toBe(200);
    const refused = await Promise.all([
      ...foreign.map((api) => api.get(`${EVENTS}?${next}&recorded_from=2020-01-01`)),
      seller.get(`${EVENTS}?${next}`),
    ]);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [400, 'invalid_parameter']),
    );
  });
});
