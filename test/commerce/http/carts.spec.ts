import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const UNKNOWN = { status: 422, code: 'validation_failed' };

describe('A cart', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  it('is created with a token that is shown once', async () => {
    const spaced = await shop.api.post('/v1/commerce/carts', { buyer: { email: ' Ada@Example.com ' } });
    expect(requireData(spaced).buyer.email).toBe('Ada@Example.com');
    const refused = await shop.api.post('/v1/commerce/carts', { buyer: { email: 'Ada' } });
    expect(refused.body.errors).toMatchObject([{ param: 'buyer.email' }]);

    const cart = await shop.createCart();
    expect(cart).toMatchObject({
      object: 'cart',
      status: 'open',
      currency: null,
      buyer: { object: 'buyer', email: 'Ada@Example.com', name: 'Ada' },
      lines: [],
      total_amount_cents: 0,
      discount: null,
      offer: null,
      cart_token: expect.stringMatching(/^ct_/),
    });
    expect(Date.parse(cart.expires_at) - Date.parse(cart.created_at)).toBe(7 * 24 * 60 * 60 * 1000);
    expect({ ...(await shop.get(`carts/${cart.id}`)), cart_token: cart.cart_token }).toEqual(cart);
  });

  it('is returned without the token for the same idempotency key', async () => {
    const key = { 'idempotency-key': 'one cart' };
    const first = requireData(await shop.api.post('/v1/commerce/carts', {}, key));
    const again = requireData(await shop.api.post('/v1/commerce/carts', {}, key));
    expect(again.id).toBe(first.id);
    expect(again).not.toHaveProperty('cart_token');
  });

  it.each([
    ['none', null],
    ['the one that it was given', 'EUR'],
  ])('has, without lines, %s as currency again', async (_, given) => {
    const inDollars = await shop.createApprovedProduct({ plans: [{ ...ONCE, currency: 'USD' }] });
    const course = await shop.createApprovedProduct({ plans: [ONCE] });
    const { id } = await shop.createCart([], { currency: given });
    const remove = async () => {
      const { lines } = await shop.get(`carts/${id}`);
      return requireData(await shop.api.delete(`/v1/commerce/carts/${id}/lines/${lines[0].id}`));
    };
    expect(requireData(await shop.addLine(id, { product_id: course.id })).currency).toBe('EUR');
    expect((await remove()).currency).toBe(given);
    const added = await shop.addLine(id, { product_id: inDollars.id });
    if (given !== null) return expect(added.body.code).toBe('currency_mismatch');
    expect(requireData(added).currency).toBe('USD');
    const other = await shop.addLine(id, { product_id: course.id });
    expect([other.status, other.body.code]).toEqual([422, 'currency_mismatch']);
    await remove();
    expect(requireData(await shop.api.patch(`/v1/commerce/carts/${id}`, { currency: 'JPY' })).currency).toBe('JPY');
    expect(await shop.get(`carts/${id}`)).toMatchObject({ currency: 'JPY', lines: [] });
  });

  it('sums its lines and is returned by every write to a line', async () => {
    const course = await shop.createApprovedProduct({ plans: [ONCE] });
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const { id } = await shop.createCart([course]);

    const added = await shop.addLine(id, { product_id: club.id, plan_id: club.plans[0].id, quantity: 2 });
    expect(added.status).toBe(201);
    expect(added.body.data).toMatchObject({
      currency: 'EUR',
      subtotal_amount_cents: 12_300,
      total_amount_cents: 12_300,
    });
    expect(added.body.data.lines[1]).toEqual({
      id: expect.stringMatching(/^cl_/),
      product: { object: 'product', id: club.id },
      plan: { object: 'payment_plan', id: club.plans[0].id },
      quantity: 2,
      unit_amount_cents: 4900,
      amount_cents: 9800,
    });

    const [first, second] = added.body.data.lines;
    const changed = await shop.api.patch(`/v1/commerce/carts/${id}/lines/${second.id}`, { quantity: 1 });
    expect([changed.status, changed.body.data.total_amount_cents]).toEqual([200, 7400]);
    const removed = await shop.api.delete(`/v1/commerce/carts/${id}/lines/${first.id}`);
    expect([removed.status, removed.body.data.total_amount_cents]).toEqual([200, 4900]);
    expect((await shop.api.delete(`/v1/commerce/carts/${id}/lines/${first.id}`)).status).toBe(404);
    expect(await shop.get(`carts/${id}`)).toEqual(removed.body.data);
  });

  it('refuses a product that cannot be bought with its block reason', async () => {
    const { id } = await shop.createProduct();
    const { status, body } = await shop.addLine((await shop.createCart()).id, { product_id: id });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      title: 'Product cannot be sold',
      code: 'not_saleable',
      block_reason: 'pending_approval',
      errors: [{ code: 'not_saleable', detail: 'The product is waiting for approval.', param: 'product_id' }],
    });
  });

  it('refuses products and plans of another business and plans of another product', async () => {
    const other = await (await CommerceFixture.createIn(shop.service)).createApprovedProduct();
    const [course, club] = [await shop.createApprovedProduct(), await shop.createApprovedProduct({ plans: [MONTHLY] })];
    const { id } = await shop.createCart();
    const add = async (body: object) => {
      const { status, body: problem } = await shop.addLine(id, { ...body });
      return { status, code: problem.code, param: problem.errors[0].param };
    };

    expect(await add({ product_id: other.id })).toEqual({ ...UNKNOWN, param: 'product_id' });
    expect(await add({ product_id: 'prod_0' })).toEqual({ ...UNKNOWN, param: 'product_id' });
    expect(await add({ product_id: course.id, plan_id: other.plans[0].id })).toEqual({ ...UNKNOWN, param: 'plan_id' });
    expect(await add({ product_id: course.id, plan_id: club.plans[0].id })).toEqual({
      status: 422,
      code: 'plan_not_available',
      param: 'plan_id',
    });
    const dollars = await shop.createApprovedProduct({ plans: [{ ...ONCE, currency: 'USD' }] });
    requireData(await shop.addLine(id, { product_id: course.id }));
    expect(await add({ product_id: dollars.id })).toEqual({ status: 422, code: 'currency_mismatch', param: 'plan_id' });
  });

  it("answers a plan of its business's other mode as an unknown one, as an offer does", async () => {
    const business = await shop.service.createBusiness();
    const createIn = async (mode: 'live' | 'test') =>
      CommerceFixture.createFor(shop.service, business.id, await shop.service.createKey(business, { mode }));
    const [live, test] = [await createIn('live'), await createIn('test')];
    const [course, tested] = [await live.createApprovedProduct(), await test.createApprovedProduct()];
    const cart = await live.createCart([course]);
    const plan_id = tested.plans[0].id;
    const line = `/v1/commerce/carts/${cart.id}/lines`;
    const [{ id }] = (await live.get(`carts/${cart.id}`)).lines;
    const offer = { product_id: course.id, plan_id, buyer: { email: 'ada@example.com' }, amount_cents: 100 };
    for (const { status, body } of [
      await live.api.post(line, { product_id: course.id, plan_id }),
      await live.api.patch(`${line}/${id}`, { plan_id }),
      await live.api.post('/v1/commerce/offers', offer),
    ])
      expect({ status, code: body.code, errors: body.errors }).toEqual({
        ...UNKNOWN,
        errors: [{ code: 'not_found', detail: 'not found', param: 'plan_id' }],
      });
  });

  it('changes its fields', async () => {
    const { id } = await shop.createCart();
    const changes = {
      currency: 'EUR',
      metadata: { a: 1 },
      external_reference: 'x',
      redirect_url: 'https://shop.example/',
      buyer: null,
    };
    expect(requireData(await shop.api.patch(`/v1/commerce/carts/${id}`, changes))).toMatchObject(changes);
    expect((await shop.api.patch(`/v1/commerce/carts/${id}`, { redirect_url: 'http://shop.example/' })).status).toBe(
      422,
    );
  });
});

describe('The access to a cart', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  it('is granted by its token, which grants no other access', async () => {
    const course = await shop.createApprovedProduct();
    const [mine, other] = [await shop.createCart(), await shop.createCart()];
    const buyer = shop.service.createApi(mine.cart_token);

    requireData(await buyer.post(`/v1/commerce/carts/${mine.id}/lines`, { product_id: course.id }));
    expect(requireData(await buyer.get(`/v1/commerce/buyer/products/${course.id}`)).purchasable).toBe(true);
    const order = requireData(
      await buyer.post(`/v1/commerce/carts/${mine.id}/checkout`, { payment_method: { token: 'tok_ok' } }),
    );
    expect(order).toMatchObject({ status: 'completed', business: { id: shop.businessId } });
    expect((await buyer.get(`/v1/commerce/carts/${other.id}`)).status).toBe(404);
    expect((await buyer.get('/v1/commerce/orders')).status).toBe(403);
    expect((await buyer.post('/v1/commerce/carts', {})).body.code).toBe('permission_denied');
    expect(
      (await shop.service.createApi(`${mine.cart_token.slice(0, -1)}~`).get(`/v1/commerce/carts/${mine.id}`)).status,
    ).toBe(401);
  });

  it("is granted to the signed-in buyer who created it, and not to the business's key", async () => {
    const course = await shop.createApprovedProduct();
    const [buyer, other] = [
      shop.service.createApi(await shop.service.signToken('buyer')),
      shop.service.createApi(await shop.service.signToken('stranger')),
    ];
    const { id } = requireData(await buyer.post('/v1/commerce/carts', { business_id: shop.businessId }));
    const path = `/v1/commerce/carts/${id}`;

    expect((await buyer.post('/v1/commerce/carts', {})).body.errors[0].param).toBe('business_id');
    expect((await buyer.post('/v1/commerce/carts', { business_id: 'biz_0' })).body.errors[0].param).toBe('business_id');
    requireData(await buyer.post(`${path}/lines`, { product_id: course.id }));
    expect(requireData(await buyer.get(path)).lines).toHaveLength(1);
    expect((await shop.api.get(path)).status).toBe(404);
    expect((await other.get(path)).status).toBe(404);
    expect((await (await CommerceFixture.createIn(shop.service)).api.get(path)).status).toBe(404);

    const paid = await buyer.post(`${path}/checkout`, {
      payment_method: { token: 'tok_ok' },
      buyer: { email: 'b@example.com' },
    });
    expect(requireData(paid)).toMatchObject({ status: 'completed', buyer: { email: 'b@example.com', name: null } });
    expect(await shop.get(`orders/${paid.body.data.id}`)).toMatchObject({ id: paid.body.data.id });
  });

  const SELLER_FIELDS: readonly object[] = [
    { metadata: { credits: 1 } },
    { external_reference: 'x' },
    { redirect_url: 'https://evil.example/' },
  ];

  it('lets its token change the buyer and the discount, and no field of the seller', async () => {
    requireData(await shop.api.post('/v1/commerce/discounts', { code: 'TOKEN', percent_off: 10 }));
    const cart = await shop.createCart([], { metadata: { credits: 10 }, redirect_url: 'https://shop.example/' });
    const path = `/v1/commerce/carts/${cart.id}`;
    const buyer = shop.service.createApi(cart.cart_token);
    for (const body of [
      ...SELLER_FIELDS,
      { metadata: {} },
      { redirect_url: null },
      { offer_id: null },
      { currency: 'USD' },
    ]) {
      const refused = await buyer.patch(path, { ...body, buyer: { email: 'eve@example.com' } });
      expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);
      expect(refused.body.errors).toMatchObject([{ param: Object.keys(body)[0] }]);
    }
    expect(await shop.get(`carts/${cart.id}`)).toMatchObject({
      metadata: { credits: 10 },
      redirect_url: 'https://shop.example/',
      buyer: { email: 'Ada@Example.com' },
    });

    const allowed = { buyer: { email: 'bob@example.com' }, discount_code: 'TOKEN' };
    const edited = requireData(await buyer.patch(path, allowed));
    expect(edited).toMatchObject({ buyer: allowed.buyer, discount: { object: 'discount' } });
  });

  it('lets a signed-in buyer create a cart without the fields of the seller', async () => {
    const buyer = shop.service.createApi(await shop.service.signToken('buyer'));
    const create = (body: object) => buyer.post('/v1/commerce/carts', { business_id: shop.businessId, ...body });
    const { id } = requireData(await create({ buyer: { email: 'bob@example.com' }, currency: 'EUR' }));
    for (const body of [...SELLER_FIELDS, { offer_id: 'off_0' }, { currency: 'USD' }]) {
      const edited = await buyer.patch(`/v1/commerce/carts/${id}`, body);
      expect([edited.status, edited.body.code]).toEqual([403, 'permission_denied']);
    }
    for (const body of SELLER_FIELDS) {
      const refused = await create(body);
      expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);
    }
  });
});
