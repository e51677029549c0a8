import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

interface Item {
  readonly id: string;
}

describe('A filter of a list', () => {
  let shop: CommerceFixture;
  /** Two orders of Ada, one of Bob, from the oldest to the newest. */
  const orders: { id: string; invoice: Item; created_at: string; line_items: { subscription?: Item }[] }[] = [];
  /** A product for each approval status, from the oldest to the newest. */
  const products: Item[] = [];
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    const course = await shop.createApprovedProduct();
    const denied = await shop.createProduct();
    await shop.deny(denied.id);
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const changed = await shop.createApprovedProduct();
    await shop.edit(changed.id, { name: 'Changed' });
    await shop.deny(changed.id);
    const review = await shop.createProduct();
    products.push(course, denied, club, changed, review);

    const [ada, bob] = [{ email: 'ada@example.com' }, { email: 'bob@example.com' }];
    orders.push(await shop.createOrder([course], { buyer: ada }));
    orders.push(await shop.createOrder([club], { buyer: bob }));
    orders.push(await shop.createOrder([course, club], { buyer: ada }));
    await shop.checkOut((await shop.createCart([course], { buyer: ada })).id, 'tok_declined');
  });
  afterAll(() => shop.service.stop());

  const newestFirst = (items: readonly Item[], ...indexes: number[]) => indexes.map((i) => items[i]!.id).reverse();

  async function list(path: string): Promise<{ ids: string[]; total: number }> {
    const { body } = await shop.list(path);
    return { ids: body.data.map(({ id }: Item) => id), total: body.pagination.total_count };
  }

  it.each([
    ['', [0, 1, 2]],
    ['buyer_email=%20ADA@example.com', [0, 2]],
    ['buyer_email=carl@example.com', []],
    ['created_from=2020-01-01', [0, 1, 2]],
    ['created_to=2020-01-01', []],
    ['buyer_email=ada@example.com&created_from=2020-01-01&created_to=2120-01-01', [0, 2]],
  ])('finds completed orders by "%s"', async (query, found) => {
    expect(await list(`orders?${query}`)).toEqual({ ids: newestFirst(orders, ...found), total: found.length });
  });

  it.each([
    ['a course', 0, '', [0, 2]],
    ['a club', 2, '', [1, 2]],
    ['a product without orders', 4, '', []],
    ['a course', 0, '&buyer_email=ada@example.com', [0, 2]],
    ['a club', 2, '&buyer_email=bob@example.com&created_from=2020-01-01', [1]],
    ['a club', 2, '&created_to=2020-01-01', []],
    ['a club', 2, '&created_from=2020-01-01&per_page=25', [1, 2]],
  ])('finds completed orders of %s (product %i) with "%s"', async (_, product, query, found) => {
    const { id } = products[product]!;
    expect(await list(`orders?product_id=${id}${query}`)).toEqual({
      ids: newestFirst(orders, ...found),
      total: found.length,
    });
  });

  it('finds the pages of the orders of a product, and none of another business', async () => {
    const path = `orders?product_id=${products[0]!.id}&per_page=1`;
    expect((await list(path)).ids).toEqual([orders[2]!.id]);
    expect(await list(`${path}&page=2`)).toEqual({ ids: [orders[0]!.id], total: 2 });
    const other = await CommerceFixture.createIn(shop.service);
    expect((await other.list(path)).body.data).toEqual([]);
  });

  it('finds orders by the time of creation, both bounds included', async () => {
    const { id, created_at: at } = orders[1]!;
    expect((await list(`orders?created_from=${at}&created_to=${at}`)).ids).toContain(id);
  });

  it.each([
    ['', [0, 1, 2]],
    ['status=paid', [0, 1, 2]],
    ['status=paid&status=open&kind=sale', [0, 1, 2]],
    ['status=open&status=void&status=uncollectible', []],
    ['kind=renewal', []],
    ['kind=sale&kind=renewal', [0, 1, 2]],
    ['buyer_email=bob@example.com&status=paid', [1]],
    ['buyer_email=ada@example.com&kind=sale&created_to=2120-01-01', [0, 2]],
    ['status=paid&created_from=2020-01-01&created_to=2020-01-02', []],
    ['subscription_id=ps_0', []],
  ])('finds invoices by "%s"', async (query, found) => {
    const invoices = orders.map(({ invoice }) => invoice);
    expect(await list(`invoices?${query}`)).toEqual({ ids: newestFirst(invoices, ...found), total: found.length });
  });

  it('finds the invoice of an order', async () => {
    expect((await list(`invoices?order_id=${orders[1]!.id}`)).ids).toEqual([orders[1]!.invoice.id]);
    expect((await list(`invoices?order_id=${orders[1]!.id}&status=open`)).ids).toEqual([]);
  });

  it.each([
    ['', [0, 1, 2, 3, 4]],
    ['status=inactive', [3]],
    ['status=active&status=inactive', [0, 1, 2, 3, 4]],
    ['approval_status=approved', [0, 2]],
    ['approval_status=denied&approval_status=denied_changed', [1, 3]],
    ['approval_status=denied&approval_status=review&status=active', [1, 4]],
    ['approval_status=approved&status=inactive', []],
  ])('finds products by "%s"', async (query, found) => {
    expect(await list(`products?${query}`)).toEqual({ ids: newestFirst(products, ...found), total: found.length });
  });

  it('counts every page of its own', async () => {
    const pages = [1, 2].map((page) => list(`products?status=active&status=inactive&per_page=3&page=${page}`));
    const [first, second] = await Promise.all(pages);
    expect([...first!.ids, ...second!.ids]).toEqual(newestFirst(products, 0, 1, 2, 3, 4));
    expect([first!.total, second!.total]).toEqual([5, 5]);
  });

  it.each([
    ['orders?status=pending', ['status']],
    ['orders?product_id=prod_1&product_id=prod_2', ['product_id']],
    ['orders?created_from=2026-02-02&created_to=2026-02-01', ['created_from', 'created_to']],
    ['orders?buyer_email=a@example.com&buyer_email=b@example.com', ['buyer_email']],
    ['invoices?status=settled', ['status']],
    ['invoices?kind=sale&kind=refund', ['kind']],
    ['invoices?order_id=a&order_id=b', ['order_id']],
    ['products?approval_status=', ['approval_status']],
    ['products?status=active,inactive', ['status']],
    ['products?buyer_email=ada@example.com', ['buyer_email']],
  ])('is refused: %s', async (path, params) => {
    const { status, body } = await shop.list(path);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.errors.map(({ param }: { param: string }) => param)).toEqual(params);
  });
});
