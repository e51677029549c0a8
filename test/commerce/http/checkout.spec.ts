import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

describe('A checkout', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  it('creates a completed order with a subscription for each subscription line', async () => {
    const course = await shop.createApprovedProduct({ plans: [ONCE] });
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const order = await shop.createOrder([course, club], {
      metadata: { campaign: 'spring' },
      redirect_url: 'https://shop.example/thanks',
    });

    expect(order).toMatchObject({
      id: expect.stringMatching(/^ord_/),
      object: 'order',
      business: { object: 'business', id: shop.businessId },
      status: 'completed',
      buyer: { object: 'buyer', id: expect.stringMatching(/^buy_/), email: 'Ada@Example.com', name: 'Ada' },
      subtotal_amount_cents: 7400,
      total_amount_cents: 7400,
      refund_status: 'none',
      payments: [{ object: 'payment', id: expect.stringMatching(/^pay_/) }],
      invoice: { object: 'invoice', id: expect.stringMatching(/^inv_/) },
      metadata: { campaign: 'spring' },
      redirect_url: `https://shop.example/thanks?order=${order.id}&campaign=spring`,
    });
    expect(order.line_items[0]).toMatchObject({
      object: 'line_item',
      kind: 'one_time',
      name: 'A course',
      amount_cents: 2500,
    });
    expect(order.line_items[0]).not.toHaveProperty('subscription');
    expect(order.line_items[1]).toMatchObject({
      kind: 'subscription',
      subscription: { object: 'subscription', id: expect.stringMatching(/^ps_/) },
    });

    expect({ ...(await shop.get(`orders/${order.id}`)), redirect_url: order.redirect_url }).toEqual(order);
    expect(await shop.get(`subscriptions/${order.line_items[1].subscription.id}`)).toMatchObject({
      object: 'subscription',
      status: 'active',
      order: { object: 'order', id: order.id },
      line_item: { object: 'line_item', id: order.line_items[1].id },
      plan: { object: 'payment_plan', id: club.plans[0].id },
      amount_cents: 4900,
      pending_change: null,
    });
  });

  it('creates a payment and a paid invoice that refer to each other', async () => {
    const order = await shop.createOrder([await shop.createApprovedProduct()]);
    const payment = await shop.get(`payments/${order.payments[0].id}`);
    expect(payment).toMatchObject({
      status: 'succeeded',
      kind: 'initial',
      order: { id: order.id },
      subscription: null,
      invoice: order.invoice,
      amount_cents: 2500,
      refundable_amount_cents: 2500,
      fee_cents: 75,
      net_amount_cents: 2425,
      method: { type: 'card', brand: 'visa', last4: '4242' },
      gateway: 'simulated',
      failure: null,
      cash_flow_at: null,
    });
    expect(await shop.get(`invoices/${order.invoice.id}`)).toMatchObject({
      number: expect.stringMatching(/^\d{4}-\d{6}$/),
      status: 'paid',
      kind: 'sale',
      payment: { object: 'payment', id: payment.id },
      total_amount_cents: 2500,
      paid_amount_cents: 2500,
      lines: [{ id: order.line_items[0].id, amount_cents: 2500 }],
    });
  });

  it('succeeds once for two requests at the same time', async () => {
    const { id } = await shop.createCart([await shop.createApprovedProduct()]);
    const replies = await Promise.all([shop.checkOut(id), shop.checkOut(id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(replies.find(({ status }) => status === 422)!.body.code).toBe('cart_not_open');

    const order = replies.find(({ status }) => status === 201)!.body.data;
    const { body } = await shop.list('payments?per_page=100');
    expect(body.data.filter((payment: { order: { id: string } }) => payment.order.id === order.id)).toHaveLength(1);
    expect((await shop.get(`carts/${id}`)).status).toBe('completed');
  });

  it('returns the same bytes for the same idempotency key', async () => {
    const { id } = await shop.createCart([await shop.createApprovedProduct()]);
    const key = { 'idempotency-key': `pay ${id}` };
    const first = await shop.checkOut(id, 'tok_ok', key);
    const again = await shop.checkOut(id, 'tok_ok', key);
    expect([first.status, again.text]).toEqual([201, first.text]);
    expect((await shop.checkOut(id)).body.code).toBe('cart_not_open');
  });

  it.each([
    ['tok_declined', 'card_declined', '0002'],
    ['tok_insufficient_funds', 'insufficient_funds', '9995'],
    ['tok_lost_card', 'lost_card', '9987'],
    ['tok_nobody_knows', 'payment_method_invalid', null],
  ])('leaves the cart open for another card after %s', async (token, code, last4) => {
    const { id } = await shop.createCart([await shop.createApprovedProduct()]);
    const { status, body } = await shop.checkOut(id, token, { 'idempotency-key': `pay ${id}` });
    expect([status, body.code]).toEqual([402, 'payment_failed']);
    expect(body.errors).toMatchObject([{ code, param: 'payment_method.token' }]);
    expect((await shop.get(`carts/${id}`)).status).toBe('open');

    const order = requireData(await shop.checkOut(id, 'tok_ok', { 'idempotency-key': `pay again ${id}` }));
    expect(order.status).toBe('completed');
    const { data } = (await shop.list('payments?per_page=100')).body;
    const attempt = data.find(({ failure }: { failure: { code: string } | null }) => failure?.code === code);
    expect(attempt).toMatchObject({ status: 'failed', refundable_amount_cents: 0, invoice: null });
    expect(attempt.method).toEqual(last4 === null ? null : { type: 'card', brand: 'visa', last4 });
    expect(attempt.order.id).not.toBe(order.id);
  });

  it('is refused after ten declined payments within an hour', async () => {
    const { id } = await shop.createCart([await shop.createApprovedProduct()]);
    for (let tries = 1; tries <= 10; tries++) expect((await shop.checkOut(id, 'tok_declined')).status).toBe(402);

    const { status, body, headers } = await shop.checkOut(id, 'tok_ok');
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    // Nearly the whole hour remains.
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(60);
  });

  it('completes after the gateway has settled an unknown charge', async () => {
    const { id } = await shop.createCart([await shop.createApprovedProduct({ plans: [MONTHLY] })]);
    const { status, body } = await shop.checkOut(id, 'tok_timeout');
    expect([status, body.data.status]).toEqual([201, 'pending']);
    expect(body.data.line_items[0]).not.toHaveProperty('subscription');
    expect((await shop.get(`carts/${id}`)).status).toBe('completed');

    const order = await shop.readUntil(`orders/${body.data.id}`, (found) => found.status === 'completed');
    const { subscription } = order.line_items[0];
    await shop.readUntil(`subscriptions/${subscription.id}`, (found) => found.status === 'active');
    const payment = await shop.readUntil(`payments/${order.payments[0].id}`, (found) => found.status === 'succeeded');
    expect(payment).toMatchObject({ invoice: order.invoice });
  });

  it('leaves the order pending while the charge is pending', async () => {
    const { id } = await shop.createCart([await shop.createApprovedProduct()]);
    const order = requireData(await shop.checkOut(id, 'tok_pending'));
    expect(order).toMatchObject({ status: 'pending', invoice: null, completed_at: null });
    expect((await shop.checkOut(id)).body.code).toBe('cart_not_open');
    const { body } = await shop.list('orders');
    expect(body.data.map((listed: { id: string }) => listed.id)).not.toContain(order.id);
    expect(await shop.get(`orders/${order.id}`)).toMatchObject({ status: 'pending' });
  });

  it('creates a zero invoice and no payment when nothing is due', async () => {
    const gift = await shop.createApprovedProduct({ plans: [{ ...ONCE, amount_cents: 0 }] });
    const { id } = await shop.createCart([gift]);
    const order = requireData(await shop.api.post(`/v1/commerce/carts/${id}/checkout`));
    expect(order).toMatchObject({ status: 'completed', payments: [], total_amount_cents: 0 });
    expect(await shop.get(`invoices/${order.invoice.id}`)).toMatchObject({
      status: 'paid',
      payment: null,
      total_amount_cents: 0,
    });
  });

  it('is refused without lines, buyer or payment method, and for an unavailable product', async () => {
    const course = await shop.createApprovedProduct();
    const code = async (cartId: string) => (await shop.checkOut(cartId)).body.code;
    expect(await code((await shop.createCart()).id)).toBe('cart_empty');
    expect(await code((await shop.createCart([course], { buyer: null })).id)).toBe('buyer_required');
    expect(await code('cart_0')).toBe('not_found');

    const { id } = await shop.createCart([await shop.createApprovedProduct(), course]);
    const bare = await shop.api.post(`/v1/commerce/carts/${id}/checkout`, {});
    expect([bare.status, bare.body.errors[0].param]).toEqual([422, 'payment_method.token']);
    await shop.edit(course.id, { name: 'Changed' });
    await shop.deny(course.id);
    const { status, body } = await shop.checkOut(id);
    expect([status, body.code, body.block_reason]).toEqual([422, 'product_unavailable', 'pending_approval']);
    expect(body.errors).toMatchObject([{ code: 'product_unavailable', param: 'lines[1].product_id' }]);
  });

  it('numbers the invoices of 100 checkouts at once without a gap', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    const course = await other.createApprovedProduct();
    const carts = await Promise.all(Array.from({ length: 100 }, () => other.createCart([course])));
    const answers = await Promise.all(
      carts.map(({ id }, i) => other.checkOut(id, i % 4 === 3 ? 'tok_declined' : 'tok_ok')),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(75);

    const pages = await Promise.all([1, 2, 3].map((page) => other.list(`invoices?page=${page}`)));
    const numbers = pages.flatMap(({ body }) => body.data.map(({ number }: { number: string }) => number)).sort();
    const year = new Date().getUTCFullYear();
    expect(numbers).toEqual(Array.from({ length: 75 }, (_, n) => `${year}-${String(n + 1).padStart(6, '0')}`));
  });
});
