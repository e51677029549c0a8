import { CommerceFixture } from '../commerce-fixture.js';

describe('The payments list', () => {
  let shop: CommerceFixture;
  let first: { id: string; created_at: string };
  let second: { id: string };
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    const course = await shop.createApprovedProduct();
    first = (await shop.createOrder([course], { buyer: { email: 'ada@example.com' } })).payments[0];
    second = (await shop.createOrder([course], { buyer: { email: 'Bob@example.com' } })).payments[0];
  });
  afterAll(() => shop.service.stop());

  async function listIds(query: string): Promise<string[]> {
    const { body } = await shop.list(`payments?${query}`);
    return body.data.map(({ id }: { id: string }) => id);
  }

  it('has up to 100 items per page, other lists up to 25', async () => {
    expect((await shop.list('payments?per_page=101')).body.pagination.per_page).toBe(100);
    expect((await shop.list('orders?per_page=26')).body.pagination.per_page).toBe(25);
    expect((await shop.list('invoices?per_page=26')).body.pagination.per_page).toBe(25);
  });

  it('finds a buyer by the normalized address', async () => {
    expect(await listIds('buyer_email=%20BOB@EXAMPLE.COM%20')).toEqual([second.id]);
    expect(await listIds('buyer_email=bob@example')).toEqual([]);
  });

  it('filters by the time of the sale, both bounds included', async () => {
    const { created_at: at } = await shop.get(`payments/${first.id}`);
    const today = at.slice(0, 10);
    expect(await listIds(`created_from=${at}&created_to=${at}`)).toContain(first.id);
    expect(await listIds(`created_from=${today}&created_to=${today}`)).toEqual([second.id, first.id]);
    expect(await listIds('created_to=2020-01-01')).toEqual([]);
  });

  it('finds no payment with unreleased funds by its cash flow', async () => {
    expect(await listIds('cash_flow_from=2020-01-01')).toEqual([]);
    expect(await listIds('cash_flow_to=2120-01-01')).toEqual([]);
  });

  it.each([
    ['created_from=yesterday', ['created_from']],
    ['created_to=2026-02-30', ['created_to']],
    ['created_from=2026-02-02&created_to=2026-02-01', ['created_from', 'created_to']],
    ['buyer=ada', ['buyer']],
    ['page=0', ['page']],
    ['created_from=2026-02-01&created_from=2026-02-02', ['created_from']],
  ])('refuses %s', async (query, params) => {
    const { status, body } = await shop.list(`payments?${query}`);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.errors.map(({ param }: { param: string }) => param)).toEqual(params);
  });

  it('has one empty page for a business without payments', async () => {
    const { body } = await (await CommerceFixture.createIn(shop.service)).list('payments');
    expect(body).toEqual({ data: [], pagination: { total_pages: 1, current_page: 1, per_page: 25, total_count: 0 } });
  });
});
