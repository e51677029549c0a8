import { type ApiResponse, requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const YEARLY = { ...MONTHLY, amount_cents: 49_000, interval: 'year', name: 'Yearly' };
const DOLLARS = { ...ONCE, currency: 'USD' };

interface Product {
  readonly id: string;
  readonly plans: readonly { readonly id: string }[];
}

let shop: CommerceFixture;
beforeAll(async () => {
  shop = await CommerceFixture.start();
});
afterAll(() => shop.service.stop());

/** Creates a product with each reason why it cannot be bought. */
const UNSALEABLE = {
  pending_approval: () => shop.createProduct() as Promise<Product>,
  inactive: async () => {
    const product = await shop.createApprovedProduct();
    return (await shop.edit(product.id, { status: 'inactive' })) as Product;
  },
  no_active_plan: () => shop.createApprovedProduct({ plans: [] }) as Promise<Product>,
};

const archive = ({ id, plans }: Product, n = 0) => shop.api.delete(`/v1/commerce/products/${id}/plans/${plans[n]!.id}`);
const cartPath = (id: string) => `/v1/commerce/carts/${id}`;

async function createCompletedCart() {
  const cart = await shop.createCart([await shop.createApprovedProduct()]);
  requireData(await shop.checkOut(cart.id));
  return shop.get(`carts/${cart.id}`);
}

function expectRefusal({ status, body }: ApiResponse, code: string, param?: string, blockReason?: string): void {
  expect([status, body.code, body.block_reason]).toEqual([422, code, blockReason]);
  if (param !== undefined) expect(body.errors).toMatchObject([{ code, param }]);
}

describe('A line of a cart', () => {
  it.each(['pending_approval', 'inactive', 'no_active_plan'] as const)(
    'is refused as not_saleable with the block reason %s',
    async (reason) => {
      const product = await UNSALEABLE[reason]();
      const { id } = await shop.createCart();
      expectRefusal(await shop.addLine(id, { product_id: product.id }), 'not_saleable', 'product_id', reason);
      expect((await shop.get(`carts/${id}`)).lines).toEqual([]);
    },
  );

  it('is refused with an archived plan, also by a change', async () => {
    const product: Product = await shop.createApprovedProduct({ plans: [MONTHLY, YEARLY] });
    const cart = requireData(await shop.addLine((await shop.createCart()).id, { product_id: product.id }));
    await archive(product, 1);
    const plan_id = product.plans[1]!.id;
    const refused = await shop.addLine(cart.id, { product_id: product.id, plan_id });
    expectRefusal(refused, 'plan_not_available', 'plan_id');
    const line = `${cartPath(cart.id)}/lines/${cart.lines[0].id}`;
    expectRefusal(await shop.api.patch(line, { plan_id }), 'plan_not_available', 'plan_id');
    expect(await shop.get(`carts/${cart.id}`)).toEqual(cart);
  });

  it('is refused in another currency, also by a change', async () => {
    const product: Product = await shop.createApprovedProduct({ plans: [ONCE, DOLLARS] });
    const cart = requireData(await shop.addLine((await shop.createCart()).id, { product_id: product.id }));
    const plan_id = product.plans[1]!.id;
    const added = await shop.addLine(cart.id, { product_id: product.id, plan_id });
    expectRefusal(added, 'currency_mismatch', 'plan_id');
    const line = `${cartPath(cart.id)}/lines/${cart.lines[0].id}`;
    expectRefusal(await shop.api.patch(line, { plan_id }), 'currency_mismatch', 'plan_id');
    expectRefusal(await shop.api.patch(cartPath(cart.id), { currency: 'USD' }), 'currency_mismatch', 'currency');
    const { id } = await shop.createCart([], { currency: 'GBP' });
    expectRefusal(await shop.addLine(id, { product_id: product.id }), 'currency_mismatch', 'plan_id');
  });

  it('is refused as not saleable before its plan, and by its plan before its currency', async () => {
    const { id } = await shop.createCart([], { currency: 'GBP' });
    const product: Product = await shop.createProduct({ plans: [MONTHLY, YEARLY] });
    await archive(product, 1);
    const line = { product_id: product.id, plan_id: product.plans[1]!.id };
    expectRefusal(await shop.addLine(id, line), 'not_saleable', 'product_id', 'pending_approval');
    await shop.approve(product.id);
    expectRefusal(await shop.addLine(id, line), 'plan_not_available', 'plan_id');
    expectRefusal(await shop.addLine(id, { product_id: product.id }), 'currency_mismatch', 'plan_id');
  });

  it('is refused with a quantity out of bounds, and beside 50 others', async () => {
    const course = await shop.createApprovedProduct();
    const { id } = await shop.createCart();
    for (const quantity of [0, 101, 1.5, null, '2'])
      expect((await shop.addLine(id, { product_id: course.id, quantity })).body.errors[0].param).toBe('quantity');

    const full = await shop.createCart(Array<{ id: string }>(50).fill(course));
    const { body } = await shop.addLine(full.id, { product_id: course.id });
    expect(body.errors).toMatchObject([{ code: 'too_many_lines', param: 'product_id' }]);
    expect((await shop.get(`carts/${full.id}`)).lines).toHaveLength(50);
  });
});

describe('A completed cart', () => {
  it('refuses every further change before anything else', async () => {
    const cart = await createCompletedCart();
    const unsaleable = await UNSALEABLE.pending_approval();
    const line = `${cartPath(cart.id)}/lines/${cart.lines[0].id}`;
    const refusals = [
      await shop.addLine(cart.id, { product_id: unsaleable.id }),
      await shop.api.patch(line, { quantity: 2 }),
      await shop.api.delete(line),
      await shop.api.patch(cartPath(cart.id), { metadata: {} }),
      await shop.api.patch(cartPath(cart.id), { discount_code: null }),
      await shop.checkOut(cart.id, 'tok_declined'),
    ];
    for (const refused of refusals) expectRefusal(refused, 'cart_not_open');
    expect(await shop.get(`carts/${cart.id}`)).toEqual(cart);
  });
});

describe('A cart that expired', () => {
  it('shows it, and refuses changes and a checkout', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const setClock = async (now: string) => requireData(await seller.api.put('/v1/commerce/test-clock', { now }));
    await setClock('2030-01-01T09:00:00.000Z');
    const course = await seller.createApprovedProduct();
    const { id } = await seller.createCart([course]);

    await setClock('2030-01-08T08:59:59.999Z');
    expect((await seller.get(`carts/${id}`)).status).toBe('open');
    requireData(await seller.addLine(id, { product_id: course.id }));
    await setClock('2030-01-15T08:59:59.999Z');
    expect(await seller.get(`carts/${id}`)).toMatchObject({
      status: 'expired',
      expires_at: '2030-01-15T08:59:59.999Z',
    });
    expectRefusal(await seller.checkOut(id), 'cart_not_open');
    expectRefusal(await seller.addLine(id, { product_id: course.id }), 'cart_not_open');
    expectRefusal(await seller.api.patch(cartPath(id), { metadata: {} }), 'cart_not_open');
  });
});

describe('A checkout', () => {
  it('names each line that became unavailable, and the reason of the first one', async () => {
    const [denied, fine, archived, stopped]: Product[] = [
      await shop.createApprovedProduct(),
      await shop.createApprovedProduct(),
      await shop.createApprovedProduct(),
      await shop.createApprovedProduct(),
    ];
    const { id } = await shop.createCart([fine!, archived!, denied!, stopped!]);
    await archive(archived!);
    await shop.edit(denied!.id, { name: 'Changed' });
    await shop.deny(denied!.id);
    await shop.edit(stopped!.id, { status: 'inactive' });

    const { status, body } = await shop.checkOut(id);
    expect([status, body.code, body.block_reason]).toEqual([422, 'product_unavailable', 'no_active_plan']);
    expect(body.errors).toEqual([
      { code: 'product_unavailable', detail: 'The product has no active plan.', param: 'lines[1].product_id' },
      { code: 'product_unavailable', detail: 'The product is waiting for approval.', param: 'lines[2].product_id' },
      { code: 'product_unavailable', detail: 'The product is not active.', param: 'lines[3].product_id' },
    ]);
    expect((await shop.get(`carts/${id}`)).status).toBe('open');
  });

  it('is refused for one reason after the other, and the cart stays open', async () => {
    requireData(await shop.api.post('/v1/commerce/discounts', { code: 'ORDERED', percent_off: 10 }));
    const { data } = (await shop.list('discounts')).body as { data: { id: string }[] };
    const { id } = await shop.createCart([], { buyer: null, discount_code: 'ORDERED' });
    requireData(await shop.api.delete(`/v1/commerce/discounts/${data[0]!.id}`));
    const checkOut = (body: object) => shop.api.post(`${cartPath(id)}/checkout`, body);

    expectRefusal(await checkOut({}), 'cart_empty');
    const course = await shop.createApprovedProduct();
    requireData(await shop.addLine(id, { product_id: course.id }));
    await shop.edit(course.id, { status: 'inactive' });
    expectRefusal(await checkOut({}), 'product_unavailable', 'lines[0].product_id', 'inactive');
    await shop.edit(course.id, { status: 'active' });
    expectRefusal(await checkOut({}), 'discount_invalid', 'discount_code');
    requireData(await shop.api.patch(cartPath(id), { discount_code: null }));
    expectRefusal(await checkOut({}), 'buyer_required', 'buyer.email');
    const buyer = { email: 'ada@example.com' };
    const { status, body } = await checkOut({ buyer });
    expect([status, body.errors[0].code, body.errors[0].param]).toEqual([422, 'required', 'payment_method.token']);
    const declined = await checkOut({ buyer, payment_method: { token: 'tok_declined' } });
    expect([declined.status, declined.body.code]).toEqual([402, 'payment_failed']);

    expect(await shop.get(`carts/${id}`)).toMatchObject({ status: 'open', buyer });
    expect(requireData(await checkOut({ payment_method: { token: 'tok_ok' } }))).toMatchObject({ buyer });
  });

  it('charges the first part of an installment plan, and the line names no subscription', async () => {
    const plan = { ...MONTHLY, kind: 'installment', amount_cents: 3300, installments_count: 3 };
    const order = await shop.createOrder([await shop.createApprovedProduct({ plans: [plan] })]);
    expect(order).toMatchObject({
      total_amount_cents: 3300,
      line_items: [{ kind: 'installment', unit_amount_cents: 3300, amount_cents: 3300 }],
    });
    expect(order.line_items[0]).not.toHaveProperty('subscription');
    expect(await shop.get(`payments/${order.payments[0].id}`)).toMatchObject({ kind: 'initial', amount_cents: 3300 });
  });

  it('answers again while the charge is pending', async () => {
    const { id } = await shop.createCart([await shop.createApprovedProduct()]);
    const key = { 'idempotency-key': `pending ${id}` };
    const first = await shop.checkOut(id, 'tok_pending', key);
    expect([first.status, first.body.data.status]).toEqual([201, 'pending']);
    expect((await shop.checkOut(id, 'tok_pending', key)).text).toBe(first.text);
    expect((await shop.get(`carts/${id}`)).status).toBe('completed');
    expectRefusal(await shop.checkOut(id, 'tok_pending'), 'cart_not_open');
  });
});

describe('The thank-you URL of an order', () => {
  const BASE = 'https://shop.example/thanks';

  async function buyWith(metadata: object, redirect_url: string | null = BASE): Promise<string | null> {
    const gift = await shop.createApprovedProduct({ plans: [{ ...ONCE, amount_cents: 0 }] });
    return (await shop.createOrder([gift], { metadata, redirect_url })).redirect_url;
  }

  /** Every order id has 30 characters. */
  const FIXED = `${BASE}?order=${'x'.repeat(30)}&note=`.length;

  it.each([
    [1_999, false],
    [2_000, false],
    [2_001, true],
  ])('of %i characters leaves out metadata: %s', async (length, truncated) => {
    const url = await buyWith({ note: 'x'.repeat(length - FIXED) });
    expect(url!.includes('metadata_truncated=true')).toBe(truncated);
    expect(url!.includes('note=')).toBe(!truncated);
    if (!truncated) expect(url).toHaveLength(length);
    expect(url).toMatch(/\?order=ord_[0-9a-z]{26}&/);
  });

  it('has the metadata in their order, without reserved keys and lists', async () => {
    const url = await buyWith({ b: 'x y', a: 1, order_id: 5, order_uuid: 'u', tags: ['a'] }, `${BASE}?shop=1#end`);
    expect(url).toMatch(/thanks\?shop=1&order=ord_[0-9a-z]{26}&b=x\+y&a=1&metadata_truncated=true#end$/);
    expect(await buyWith({ a: 1 }, null)).toBeNull();
  });

  it('is built from the normalized redirect URL, which the cart shows', async () => {
    const written = ' https:\\\\SHOP.example/a b?q="\u202e,/~';
    const cart = await shop.createCart([], { redirect_url: written });
    expect(cart.redirect_url).toBe('https://shop.example/a%20b?q=%22%E2%80%AE,/~');
    const edited = requireData(await shop.api.patch(cartPath(cart.id), { redirect_url: 'https://Shop.example' }));
    expect(edited.redirect_url).toBe('https://shop.example/');
    const hidden = requireData(await shop.api.patch(cartPath(cart.id), { redirect_url: 'https://sh\u200bop.example' }));
    expect(hidden.redirect_url).toBe('https://shop.example/');
    const url = await buyWith({ a: 1 }, written);
    expect(url).toMatch(/^https:\/\/shop\.example\/a%20b\?q=%22%E2%80%AE,\/~&order=ord_[0-9a-z]{26}&a=1$/);
  });

  it('has at most 2,000 characters after a long query that a parser would encode', async () => {
    const redirectUrl = `${BASE}?q=${'!,/~'.repeat(360)}`;
    const url = await buyWith({ note: 'x'.repeat(600) }, redirectUrl);
    expect(url!.startsWith(`${redirectUrl}&order=`)).toBe(true);
    expect(url!.endsWith('&metadata_truncated=true')).toBe(true);
    expect(url!.length).toBeLessThanOrEqual(2_000);
  });

  it.each([
    ['of 1,501 characters', `${BASE}?${'x'.repeat(1_500 - BASE.length)}`],
    ['that is not https', 'http://shop.example/'],
    ['that is no URL', 'shop.example'],
    ['with CR and LF', `${BASE}\r\nSet-Cookie: a=b`],
    ['with a tab', `${BASE}\t`],
    ['with a control character of the second set', `${BASE}?a=\u0085`],
    ['with a password', 'https://user:secret@shop.example/thanks'],
    ['with a user name', 'https://shop.example@evil.example/thanks'],
    ['with a text direction override in the host', 'https://shop\u202e.example/'],
  ])('is refused for a redirect URL %s', async (_, redirect_url) => {
    const { status, body } = await shop.api.post('/v1/commerce/carts', { redirect_url });
    expect([status, body.errors[0].param]).toEqual([422, 'redirect_url']);
  });
});
