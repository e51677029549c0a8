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

  it('has no order before one is completed', async () => {
    const { id } = await shop.createCart([course], { buyer: { email: 'eve@example.com', name: null } });
    expect((await shop.checkOut(id, 'tok_declined')).status).toBe(402);

    expect(await listBuyers('eve@example.com')).toMatchObject([{ orders_count: 0, first_order_at: null }]);
  });
});

describe('The buyers list', () => {
  it('finds a buyer by the normalized address, and lists the newest first', async () => {
    expect(await listBuyers('%20ADA@example.com')).toHaveLength(1);
    const { body } = await shop.list('buyers');
    const emails = body.data.map(({ email }: { email: string }) => email);
    expect(emails).toEqual(['eve@example.com', 'bob@example.com', 'ada@example.com']);
    expect(body.pagination).toMatchObject({ total_count: 3 });
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
      expect([
        time,
        requireData(await shop.api.delete(`/v1/commerce/buyers/${ada.id}/personal-data?end_charges=true`)),
      ]).toMatchObject([time, erased]);
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
    requireData(await shop.api.delete(`/v1/commerce/buyers/${carl.id}/personal-data?end_charges=true`));

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

describe('A buyer who may still be charged', () => {
  const START = '2030-01-31T09:00:00.000Z';
  const LATER = '2030-06-30T09:00:00.000Z';
  const PARTS = { ...MONTHLY, kind: 'installment', amount_cents: 3300, installments_count: 3, name: 'Three parts' };

  async function sellTo(plans: readonly object[], token = 'tok_ok') {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    requireData(await seller.api.put('/v1/commerce/test-clock', { now: START }));
    const products = [];
    for (const plan of plans) products.push(await seller.createApprovedProduct({ plans: [plan] }));
    const cart = await seller.createCart(products, { buyer: ADA });
    const order = requireData(await seller.checkOut(cart.id, token));
    const advance = async (now: string) => requireData(await seller.api.put('/v1/commerce/test-clock', { now }));
    const forget = (query = '') => seller.api.delete(`/v1/commerce/buyers/${order.buyer.id}/personal-data${query}`);
    const countPayments = async () => (await seller.list('payments')).body.pagination.total_count as number;
    return { seller, order, advance, forget, countPayments };
  }

  it('is not forgotten, and the refusal names each subscription and order', async () => {
    const { seller, order, forget } = await sellTo([MONTHLY, PARTS]);
    const { status, body } = await forget();
    expect([status, body.code]).toEqual([422, 'buyer_has_active_charges']);
    const details = body.errors.map(({ detail }: { detail: string }) => detail).join();
    const { id } = order.line_items.find(({ kind }: { kind: string }) => kind === 'subscription').subscription;
    for (const named of [id, order.id]) expect(details).toContain(named);
    expect(await seller.get(`buyers/${order.buyer.id}`)).toMatchObject({ email: 'Ada@Example.com' });
    expect(await seller.get(`subscriptions/${id}`)).toMatchObject({ status: 'active' });
  });

  it('is forgotten when the request ends the charges, and is never charged again', async () => {
    const { seller, order, advance, forget, countPayments } = await sellTo([MONTHLY, PARTS]);
    expect(requireData(await forget('?end_charges=true'))).toMatchObject({ email: null, erased: true });
    const before = await countPayments();
    await advance(LATER);
    expect(await countPayments()).toBe(before);
    const [subscription] = requireData(await seller.list('subscriptions'));
    expect(subscription).toMatchObject({ status: 'cancelled', cancelled_at: START, order: { id: order.id } });
    expect(requireData(await forget())).toMatchObject({ erased: true });
  });

  it('leaves no open invoice when the charges fail at that time', async () => {
    const { seller, advance, forget, countPayments } = await sellTo([MONTHLY, PARTS], 'tok_fail_on_renewal');
    await advance('2030-02-28T09:00:00.000Z');
    const before = await countPayments();
    requireData(await forget('?end_charges=true'));
    await advance(LATER);
    expect(await countPayments()).toBe(before);
    const invoices = requireData(await seller.list('invoices')) as { status: string }[];
    expect(invoices.map(({ status }) => status).sort()).toEqual(['paid', 'void', 'void']);
  });

  it.each([
    ['paused', 'pause', true],
    ['cancelling', 'cancel', true],
    ['cancelled', 'cancel', false],
  ] as const)('may be one whose subscription is %s', async (state, action, isRefused) => {
    const { seller, order, forget } = await sellTo([MONTHLY]);
    const { id } = order.line_items[0].subscription;
    const body = state === 'cancelled' ? { mode: 'immediately' } : undefined;
    requireData(await seller.api.post(`/v1/commerce/subscriptions/${id}/${action}`, body));
    expect((await forget()).status).toBe(isRefused ? 422 : 200);
  });

  it('is nobody after the last part is paid', async () => {
    const { advance, forget, countPayments } = await sellTo([PARTS]);
    expect((await forget()).status).toBe(422);
    await advance(LATER);
    expect([await countPayments(), (await forget()).status]).toEqual([3, 200]);
  });

  describe.each(['tok_pending', 'tok_timeout'])('with a checkout that %s leaves without a result', (token) => {
    async function leavePending() {
      const sold = await sellTo([ONCE]);
      const products = [];
      for (const plan of [MONTHLY, PARTS]) products.push(await sold.seller.createApprovedProduct({ plans: [plan] }));
      const cart = await sold.seller.createCart(products, { buyer: ADA });
      const pending = requireData(await sold.seller.checkOut(cart.id, token));
      expect(pending.status).toBe('pending');
      return { ...sold, pending };
    }

    it('is not forgotten, and the refusal names its payment', async () => {
      const { pending, forget } = await leavePending();
      const { status, body } = await forget();
      expect([status, body.code]).toEqual([422, 'buyer_has_active_charges']);
      expect(body.errors).toEqual([
        expect.objectContaining({ detail: expect.stringContaining(pending.payments[0].id) }),
      ]);
    });

    it('is not charged after the request has ended the charges', async () => {
      const { seller, pending, advance, forget } = await leavePending();
      expect(requireData(await forget('?end_charges=true'))).toMatchObject({ erased: true });
      await advance(LATER);
      expect(await seller.get(`orders/${pending.id}`)).toMatchObject({ status: 'failed' });
      expect(await seller.get(`payments/${pending.payments[0].id}`)).toMatchObject({
        status: 'failed',
        failure: { code: 'canceled' },
      });
      expect((await seller.list('payments')).body.data).toHaveLength(2);
      expect((await seller.list('subscriptions')).body.data).toEqual([]);
    });
  });

  it('is not charged for a renewal that has no result yet', async () => {
    const { seller, order, advance, forget, countPayments } = await sellTo([MONTHLY]);
    const path = `/v1/commerce/subscriptions/${order.line_items[0].subscription.id}`;
    requireData(await seller.api.put(`${path}/payment-method`, { token: 'tok_pending' }));
    await advance('2030-02-28T09:00:00.000Z');
    expect(await countPayments()).toBe(2);
    requireData(await seller.api.post(`${path}/cancel`, { mode: 'immediately' }));

    expect((await forget()).status).toBe(422);
    requireData(await forget('?end_charges=true'));
    await advance(LATER);
    const statuses = async (path: string) =>
      (await seller.list(path)).body.data.map(({ status }: { status: string }) => status);
    expect([await statuses('payments'), await statuses('invoices')]).toEqual([
      ['failed', 'succeeded'],
      ['void', 'paid'],
    ]);
  });

  it('refuses another value of end_charges', async () => {
    const { forget } = await sellTo([MONTHLY]);
    expect(await forget('?end_charges=yes')).toMatchObject({ status: 400, body: { code: 'invalid_parameter' } });
  });
});
