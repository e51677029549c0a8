import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const ADA = { email: 'Ada@Example.com', name: 'Ada' };
const BOB = { email: 'bob@example.com', name: null };

let shop: CommerceFixture;
let course: { id: string };
let ada: { id: string };
beforeAll(async () => {
  shop = await CommerceFixture.start();
  course = await shop.createApprovedProduct();
  const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
  const dollars = await shop.createApprovedProduct({ plans: [{ ...ONCE, currency: 'USD' }] });
  await shop.createOrder([course, club], { buyer: ADA });
  const refunded = await shop.createOrder([dollars], { buyer: { email: 'ada@example.com', name: null } });
  requireData(await shop.api.post(`/v1/commerce/payments/${refunded.payments[0].id}/refunds`, { amount_cents: 500 }));
  await shop.createOrder([course], { buyer: BOB });
  [ada] = await listBuyers('ada@example.com');
});
afterAll(() => shop.service.stop());

async function listBuyers(email: string) {
  return requireData(await shop.list(`buyers?email=${email}`));
}

describe('A buyer', () => {
  it('has the counts and the money of all orders, per currency', async () => {
    const orders = (await shop.list('orders')).body.data as { buyer: { id: string }; completed_at: string }[];
    const [last, first] = orders.filter(({ buyer }) => buyer.id === ada.id);
    expect(await shop.get(`buyers/${ada.id}`)).toEqual({
      id: expect.stringMatching(/^buy_/),
      object: 'buyer',
      business: { object: 'business', id: shop.businessId },
      created_at: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada',
      orders_count: 2,
      subscriptions_count: 1,
      spent: [
        { currency: 'EUR', amount_cents: 7400, refunded_cents: 0 },
        { currency: 'USD', amount_cents: 2500, refunded_cents: 500 },
      ],
      first_order_at: first!.completed_at,
      last_order_at: last!.completed_at,
    });
  });

  it('is another buyer in test mode and in another business', async () => {
    const other = await CommerceFixture.createIn(shop.service, 'test');
    await other.createOrder([await other.createApprovedProduct()], { buyer: ADA });
    const [found] = requireData(await other.list('buyers?email=ada@example.com'));

    expect(found.id).not.toBe(ada.id);
    expect((await other.list(`buyers/${ada.id}`)).status).toBe(404);
  });

  it('does not exist before an order is completed', async () => {
    const { id } = await shop.createCart([course], { buyer: { email: 'eve@example.com', name: null } });
    expect((await shop.checkOut(id, 'tok_declined')).status).toBe(402);

    expect(await listBuyers('eve@example.com')).toEqual([]);
  });
});

describe('The buyers list', () => {
  it('finds a buyer by the normalized address, and lists the newest first', async () => {
    expect(await listBuyers('%20ADA@example.com')).toHaveLength(1);
    const { body } = await shop.list('buyers');
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual(['bob@example.com', 'ada@example.com']);
    expect(body.pagination).toMatchObject({ total_count: 2 });
  });

  it('refuses an unknown filter', async () =>
    expect(await shop.list('buyers?name=Ada')).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } }));
});

describe('The personal data of a buyer', () => {
  it('contains everything that the business holds about the buyer', async () => {
    const data = await shop.get(`buyers/${ada.id}/personal-data`);

    expect(data).toMatchObject({ object: 'personal_data', buyer: { email: 'ada@example.com' }, complete: true });
    for (const kind of ['orders', 'payments', 'invoices', 'carts']) {
      expect(data[kind]).toHaveLength(2);
      for (const one of data[kind]) expect(one.buyer).toMatchObject({ id: ada.id });
    }
    expect(data.refunds).toEqual([await shop.get(`refunds/${data.refunds[0].id}`)]);
    expect(data.subscriptions).toEqual([await shop.get(`subscriptions/${data.subscriptions[0].id}`)]);
    expect(JSON.stringify(data)).not.toContain('"_');
  });

  it('is null after its erasure, in this business alone', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    const order = await other.createOrder([await other.createApprovedProduct()], { buyer: ADA });
    const erased = { id: ada.id, email: null, name: null, erased: true, orders_count: 2 };

    for (const time of ['first', 'second'])
      expect([time, requireData(await shop.api.delete(`/v1/commerce/buyers/${ada.id}/personal-data`))]).toMatchObject([
        time,
        erased,
      ]);
    const { buyer, orders } = await shop.get(`buyers/${ada.id}/personal-data`);
    expect(buyer).toMatchObject(erased);
    expect(orders[0].buyer).toEqual({ object: 'buyer', id: ada.id, email: null, name: null, erased: true });
    expect(await other.get(`orders/${order.id}`)).toMatchObject({ buyer: { email: 'Ada@Example.com', name: 'Ada' } });
  });

  it('is not found by the address after its erasure, in this business alone', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    for (const one of [shop, other]) {
      const club = await one.createApprovedProduct({ plans: [MONTHLY] });
      const order = await one.createOrder([club], { buyer: { email: 'carl@example.com', name: null } });
      requireData(await one.api.post(`/v1/commerce/payments/${order.payments[0].id}/refunds`));
    }
    const [carl] = await listBuyers('carl@example.com');
    requireData(await shop.api.delete(`/v1/commerce/buyers/${carl.id}/personal-data`));

    expect(await listBuyers('carl@example.com')).toEqual([]);
    for (const list of ['orders', 'payments', 'refunds', 'invoices', 'subscriptions']) {
      const counts = await Promise.all(
        [shop, other].map(async (one) => {
          const { data, pagination } = (await one.list(`${list}?buyer_email=carl@example.com`)).body;
          return [data.length, pagination.total_count];
        }),
      );
      expect([list, counts]).toEqual([
        list,
        [
          [0, 0],
          [1, 1],
        ],
      ]);
    }
  });

  it.each(['get', 'delete'] as const)('is not found for an unknown buyer: %s', async (method) =>
    expect((await shop.api[method]('/v1/commerce/buyers/buy_unknown/personal-data')).status).toBe(404),
  );
});
