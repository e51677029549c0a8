import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

describe('A product', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  /** Returns whether buyers see the product as purchasable and whether a cart accepts it. */
  async function readSaleability(productId: string) {
    const view = await shop.get(`buyer/products/${productId}`);
    const added = await shop.addLine((await shop.createCart()).id, { product_id: productId });
    return {
      purchasable: view.purchasable,
      reason: view.purchase_block_reason,
      added: added.body.block_reason ?? added.status,
    };
  }

  it('cannot be bought when its only plan is archived', async () => {
    const product = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const [{ id: planId }] = product.plans;

    const archived = requireData(await shop.api.delete(`/v1/commerce/products/${product.id}/plans/${planId}`));
    expect(archived.plans).toMatchObject([{ id: planId, status: 'archived' }]);
    expect(await readSaleability(product.id)).toEqual({
      purchasable: false,
      reason: 'no_active_plan',
      added: 'no_active_plan',
    });
    expect((await shop.api.delete(`/v1/commerce/products/${product.id}/plans/plan_unknown`)).body.code).toBe(
      'not_found',
    );
  });

  it('gets another plan, once per idempotency key, and carts accept the plan at once', async () => {
    const product = await shop.createApprovedProduct({ plans: [ONCE] });
    const path = `/v1/commerce/products/${product.id}/plans`;
    const key = { 'idempotency-key': 'add a plan' };

    const added = await shop.api.post(path, MONTHLY, key);
    expect([added.status, added.body.data]).toEqual([
      201,
      {
        ...product,
        plans: [product.plans[0], expect.objectContaining({ ...MONTHLY, object: 'payment_plan', status: 'active' })],
        updated_at: added.body.data.updated_at,
      },
    ]);
    expect((await shop.api.post(path, MONTHLY, key)).text).toBe(added.text);
    expect((await shop.api.post(path, ONCE, key)).body.code).toBe('idempotency_key_conflict');
    expect(await shop.get(`products/${product.id}`)).toEqual(added.body.data);

    const line = { product_id: product.id, plan_id: added.body.data.plans[1].id };
    expect((await shop.addLine((await shop.createCart()).id, line)).status).toBe(201);
    const other = await shop.createApprovedProduct();
    expect((await shop.addLine((await shop.createCart()).id, { ...line, product_id: other.id })).body.code).toBe(
      'plan_not_available',
    );
  });

  it.each([
    ['without an amount', { kind: 'one_time', currency: 'EUR' }, 'amount_cents'],
    ['of an unknown kind', { ...ONCE, kind: 'gift' }, 'kind'],
    ['with a currency in lower case', { ...ONCE, currency: 'eur' }, 'currency'],
    ['with an interval, when it is paid once', { ...ONCE, interval: 'month' }, 'interval'],
    ['without an interval, when it is a subscription', { ...ONCE, kind: 'subscription' }, 'interval'],
    ['with a number of intervals, when it is bought once', { ...ONCE, interval_count: 3 }, 'interval_count'],
    ['in a metal', { ...ONCE, currency: 'XAU' }, 'currency'],
    ['in the code for no currency', { ...ONCE, currency: 'XXX' }, 'currency'],
    ['in special drawing rights', { ...ONCE, currency: 'XDR' }, 'currency'],
    ['in a currency that was replaced', { ...ONCE, currency: 'ANG' }, 'currency'],
    ['without a number of installments', { ...MONTHLY, kind: 'installment' }, 'installments_count'],
  ])('gets no plan %s', async (_, body, param) => {
    const { id } = await shop.createProduct();
    const { status, body: problem } = await shop.api.post(`/v1/commerce/products/${id}/plans`, body);
    expect([status, problem.code, problem.errors[0].param]).toEqual([422, 'validation_failed', param]);
  });

  it('gets no plan beyond 20 active ones, and none from another business or mode', async () => {
    const { id } = await shop.createProduct({ plans: Array(20).fill(ONCE) });
    const path = `/v1/commerce/products/${id}/plans`;
    expect((await shop.api.post(path, ONCE)).body.errors).toMatchObject([{ code: 'too_many_plans', param: 'kind' }]);
    expect((await shop.api.post(path, { ...ONCE, price: 1 })).body.code).toBe('unknown_parameter');

    const [{ id: oldest }] = (await shop.get(`products/${id}`)).plans;
    requireData(await shop.api.delete(`${path}/${oldest}`));
    requireData(await shop.api.post(path, { ...ONCE, currency: 'XCG' }));
    expect((await shop.api.post(path, ONCE)).body.errors).toMatchObject([{ code: 'too_many_plans' }]);

    for (const mode of ['live', 'test'] as const) {
      const other = await CommerceFixture.createIn(shop.service, mode);
      expect((await other.api.post(path, ONCE)).body.code).toBe('not_found');
    }
    expect((await shop.api.post('/v1/commerce/products/prod_0/plans', ONCE)).body.code).toBe('not_found');
    expect((await shop.get(`products/${id}`)).plans).toHaveLength(21);
  });

  it('is created active, in review, with its plans', async () => {
    const product = await shop.createProduct({
      description: 'Long.',
      plans: [MONTHLY, ONCE],
      metadata: { 'a.b': '$1' },
      external_reference: 'sku-1',
    });

    expect(product).toEqual({
      id: expect.stringMatching(/^prod_[0-9a-z]{26}$/),
      object: 'product',
      business: { object: 'business', id: shop.businessId },
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      name: 'A course',
      description: 'Long.',
      status: 'active',
      approval_status: 'review',
      approval_note: null,
      reviewed_at: null,
      revision: 1,
      reviewed_revision: null,
      plans: [
        {
          id: expect.stringMatching(/^plan_/),
          object: 'payment_plan',
          ...MONTHLY,
          interval_count: 1,
          installments_count: null,
          status: 'active',
        },
        {
          id: expect.stringMatching(/^plan_/),
          object: 'payment_plan',
          ...ONCE,
          name: null,
          interval: null,
          interval_count: 1,
          installments_count: null,
          status: 'active',
        },
      ],
      images: [],
      attachments: [],
      metadata: { 'a.b': '$1' },
      external_reference: 'sku-1',
      updated_at: product.created_at,
    });
    expect(await shop.get(`products/${product.id}`)).toEqual(product);
  });

  it('cannot be bought in review, also after an edit', async () => {
    const { id } = await shop.createProduct();
    expect(await readSaleability(id)).toEqual({
      purchasable: false,
      reason: 'pending_approval',
      added: 'pending_approval',
    });

    expect(await shop.edit(id, { status: 'active' })).toMatchObject({
      status: 'inactive',
      approval_status: 'review',
      revision: 1,
    });
    expect(await shop.approve(id)).toMatchObject({
      status: 'active',
      approval_status: 'approved',
      reviewed_revision: 1,
    });
    expect(await readSaleability(id)).toEqual({ purchasable: true, reason: 'none', added: 201 });
  });

  it('returns to review when it is edited after a denial', async () => {
    const { id } = await shop.createProduct();
    expect(await shop.deny(id, 'Too vague.')).toMatchObject({
      status: 'active',
      approval_status: 'denied',
      approval_note: 'Too vague.',
    });
    expect(await readSaleability(id)).toMatchObject({
      purchasable: false,
      reason: 'pending_approval',
      added: 'pending_approval',
    });

    expect(await shop.edit(id, { name: 'Clearer' })).toMatchObject({
      status: 'inactive',
      approval_status: 'review',
      revision: 2,
    });
    expect(await readSaleability(id)).toMatchObject({
      purchasable: false,
      reason: 'pending_approval',
      added: 'pending_approval',
    });
  });

  it('changes at once when approved and stays purchasable until the change is denied', async () => {
    const { id } = await shop.createApprovedProduct();
    expect(await shop.edit(id, { name: 'Renamed' })).toMatchObject({
      status: 'active',
      approval_status: 'approved',
      revision: 2,
    });
    expect(await readSaleability(id)).toMatchObject({ purchasable: true, added: 201 });

    expect(await shop.deny(id)).toMatchObject({
      status: 'inactive',
      approval_status: 'denied_changed',
      reviewed_revision: 2,
    });
    expect(await readSaleability(id)).toMatchObject({
      purchasable: false,
      reason: 'pending_approval',
      added: 'pending_approval',
    });
  });

  it('cannot be bought when the seller sets it inactive or without an active plan', async () => {
    const { id } = await shop.createApprovedProduct();
    await shop.edit(id, { status: 'inactive' });
    expect(await readSaleability(id)).toMatchObject({ reason: 'inactive', added: 'inactive' });

    const { id: bare } = await shop.createApprovedProduct({ plans: [] });
    expect(await readSaleability(bare)).toMatchObject({ reason: 'no_active_plan', added: 'no_active_plan' });
  });

  it('shows buyers only its public fields', async () => {
    const { id } = await shop.createApprovedProduct({ metadata: { margin: 'secret' } });
    const fields = [
      'business',
      'created_at',
      'description',
      'id',
      'images',
      'name',
      'object',
      'plans',
      'purchasable',
      'purchase_block_reason',
    ];
    expect(Object.keys(await shop.get(`buyer/products/${id}`)).sort()).toEqual(fields);
  });

  it('is reviewed only by reviewers and only in review', async () => {
    const { id } = await shop.createProduct();
    expect((await shop.api.post(`/v1/commerce/products/${id}/approve`)).body.code).toBe('permission_denied');
    expect((await shop.reviewer.post('/v1/commerce/products/prod_0/approve')).body.code).toBe('not_found');
    for (const reason of ['', ' ', '\u200b', '\u00a0\n'])
      expect((await shop.reviewer.post(`/v1/commerce/products/${id}/deny`, { reason })).body.code).toBe(
        'validation_failed',
      );

    await shop.deny(id);
    expect((await shop.reviewer.post(`/v1/commerce/products/${id}/approve`)).body.code).toBe('product_not_in_review');
  });

  it('is listed newest first, with the last page for a page number past the end', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    const made = [
      await other.createProduct({ name: 'First' }),
      await other.createProduct({ name: 'Second' }),
      await other.createProduct({ name: 'Third' }),
    ];

    const { body } = await other.list('products?per_page=2&page=9');
    expect(body.pagination).toEqual({ total_pages: 2, current_page: 2, per_page: 2, total_count: 3 });
    expect(body.data).toEqual([made[0]]);
    expect((await other.list('products')).body.data.map(({ name }: { name: string }) => name)).toEqual([
      'Third',
      'Second',
      'First',
    ]);
  });

  it('is not found from another business or mode', async () => {
    const { id } = await shop.createProduct();
    const other = await CommerceFixture.createIn(shop.service, 'test');
    const refusals = [
      await other.list(`products/${id}`),
      await other.list(`buyer/products/${id}`),
      await other.api.patch(`/v1/commerce/products/${id}`, { name: 'Mine' }),
      await other.list('products/prod_0'),
    ];
    for (const { status, body } of refusals) expect([status, body.code]).toEqual([404, 'not_found']);
    expect(await shop.get(`products/${id}`)).toMatchObject({ name: 'A course' });
  });

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['an amount of half a cent', { name: 'x', plans: [{ ...ONCE, amount_cents: 1.5 }] }, 'plans[0].amount_cents'],
    ['a currency in lower case', { name: 'x', plans: [ONCE, { ...ONCE, currency: 'eur' }] }, 'plans[1].currency'],
    ['a one-time plan with an interval', { name: 'x', plans: [{ ...ONCE, interval: 'month' }] }, 'plans[0].interval'],
    ['21 plans', { name: 'x', plans: Array(21).fill(ONCE) }, 'plans'],
    ['a list as metadata', { name: 'x', metadata: [] }, 'metadata'],
    ['null as metadata', { name: 'x', metadata: null }, 'metadata'],
    ['an empty reference', { name: 'x', external_reference: '' }, 'external_reference'],
  ])('is refused with %s', async (_, body, param) => {
    const { status, body: problem } = await shop.api.post('/v1/commerce/products', body);
    expect([status, problem.code, problem.errors[0].param]).toEqual([422, 'validation_failed', param]);
  });
});

describe('The service with PRODUCT_REVIEW=auto', () => {
  it('approves every product in review', async () => {
    const shop = await CommerceFixture.start({ PRODUCT_REVIEW: 'auto' });
    const { id } = await shop.createProduct();
    const approved = await shop.readUntil(`products/${id}`, ({ approval_status }) => approval_status === 'approved');
    expect(approved).toMatchObject({ status: 'active', reviewed_revision: 1 });
    await shop.service.stop();
  });
});
