import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

const IMAGE = { url: 'https://example.com/a.png', alt: 'A cover' };
const ATTACHMENT = { url: 'https://example.com/a.pdf', name: 'The first chapter' };

interface Product {
  readonly id: string;
}

describe('A change of a product', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  const APPROVALS = {
    review: async () => shop.createProduct(),
    denied: async () => {
      const product = await shop.createProduct();
      await shop.deny(product.id);
      return product;
    },
    denied_changed: async () => {
      const product = await shop.createApprovedProduct();
      await shop.edit(product.id, { name: 'Changed' });
      await shop.deny(product.id);
      return product;
    },
    approved: async () => shop.createApprovedProduct(),
  };
  const CHANGES = {
    'a name': ({ id }: Product) => shop.edit(id, { name: 'Another' }),
    metadata: ({ id }: Product) => shop.edit(id, { metadata: { a: 1 } }),
    'an active status': ({ id }: Product) => shop.edit(id, { status: 'active' }),
    'an inactive status': ({ id }: Product) => shop.edit(id, { status: 'inactive' }),
    'no field': ({ id }: Product) => shop.edit(id, {}),
    'an image': ({ id }: Product) => addFile(id, 'images', IMAGE),
    'an attachment': ({ id }: Product) => addFile(id, 'attachments', ATTACHMENT),
  };

  async function addFile(id: string, kind: 'images' | 'attachments', body: object) {
    return requireData(await shop.api.post(`/v1/commerce/products/${id}/${kind}`, body));
  }

  /** Returns the reason why buyers cannot buy the product, which the view, a new line and a checkout agree on. */
  async function readBlockReason(product: Product, earlierCart: string | null): Promise<string> {
    const view = await shop.get(`buyer/products/${product.id}`);
    const added = await shop.addLine((await shop.createCart()).id, { product_id: product.id });
    const reason: string = view.purchase_block_reason;
    expect(view.purchasable).toBe(reason === 'none');
    if (reason === 'none') expect(added.status).toBe(201);
    else expect(added.body).toMatchObject({ status: 422, code: 'not_saleable', block_reason: reason });
    if (earlierCart !== null) await assertCheckout(earlierCart, reason);
    return reason;
  }

  async function assertCheckout(cartId: string, reason: string): Promise<void> {
    const { status, body } = await shop.checkOut(cartId);
    if (reason === 'none') expect(status).toBe(201);
    else expect(body).toMatchObject({ status: 422, code: 'product_unavailable', block_reason: reason });
  }

  it.each(['review', 'denied', 'denied_changed'] as const)(
    'makes a product of approval status %s inactive, puts it into review, and never makes it saleable',
    async (approval) => {
      for (const [name, apply] of Object.entries(CHANGES)) {
        const product = await APPROVALS[approval]();
        expect(await readBlockReason(product, null)).toBe('pending_approval');
        const { status, approval_status } = await apply(product);
        expect([name, status, approval_status]).toEqual([name, 'inactive', 'review']);
        expect(await readBlockReason(product, null)).toBe('pending_approval');
      }
    },
  );

  it('leaves an approved product approved and takes effect at once', async () => {
    for (const [name, apply] of Object.entries(CHANGES)) {
      const product = await APPROVALS.approved();
      const { id: cart } = await shop.createCart([product]);
      const inactive = name === 'an inactive status';
      const revision = ['metadata', 'an active status', 'no field'].includes(name) ? 1 : 2;
      const { status, approval_status, ...rest } = await apply(product);
      expect([name, status, approval_status]).toEqual([name, inactive ? 'inactive' : 'active', 'approved']);
      expect(rest).toMatchObject({ revision, reviewed_revision: 1 });
      expect(await readBlockReason(product, cart)).toBe(inactive ? 'inactive' : 'none');
    }
  });

  it('that a reviewer denies stops the sale, also of carts that have the product', async () => {
    const product = await APPROVALS.approved();
    const { id: cart } = await shop.createCart([product]);
    await addFile(product.id, 'images', IMAGE);
    expect(await shop.deny(product.id)).toMatchObject({ status: 'inactive', approval_status: 'denied_changed' });
    expect(await readBlockReason(product, cart)).toBe('pending_approval');
  });

  it("keeps the seller's own deactivation through a review", async () => {
    const product = await APPROVALS.review();
    await shop.edit(product.id, { status: 'inactive' });
    await addFile(product.id, 'attachments', ATTACHMENT);
    expect(await shop.approve(product.id)).toMatchObject({ status: 'inactive', approval_status: 'approved' });
    expect(await readBlockReason(product, null)).toBe('inactive');
    expect(await shop.edit(product.id, { status: 'active' })).toMatchObject({ status: 'active' });
    expect(await readBlockReason(product, null)).toBe('none');
  });

  it('blocks buyers by the approval first, then by the status, then by the plans', async () => {
    const product = await shop.createProduct({ plans: [] });
    await shop.edit(product.id, { status: 'inactive' });
    expect(await readBlockReason(product, null)).toBe('pending_approval');
    await shop.approve(product.id);
    expect(await readBlockReason(product, null)).toBe('inactive');
    await shop.edit(product.id, { status: 'active' });
    expect(await readBlockReason(product, null)).toBe('no_active_plan');
    requireData(await shop.api.post(`/v1/commerce/products/${product.id}/plans`, MONTHLY));
    expect(await readBlockReason(product, null)).toBe('none');
  });
});

describe('A file of a product', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  it('is added with an id, once per idempotency key, and returns the product', async () => {
    const { id } = await shop.createProduct();
    const path = `/v1/commerce/products/${id}`;
    const key = { 'idempotency-key': 'one image' };
    const image = await shop.api.post(`${path}/images`, IMAGE, key);
    expect(image.status).toBe(201);
    expect((await shop.api.post(`${path}/images`, IMAGE, key)).text).toBe(image.text);

    const attachment = await shop.api.post(`${path}/attachments`, { url: ATTACHMENT.url });
    expect(attachment.status).toBe(201);
    expect(attachment.body.data).toMatchObject({
      images: [{ id: expect.stringMatching(/^img_[0-9a-z]{26}$/), ...IMAGE }],
      attachments: [{ id: expect.stringMatching(/^att_[0-9a-z]{26}$/), url: ATTACHMENT.url, name: null }],
      revision: 3,
    });
    expect(await shop.get(`products/${id}`)).toEqual(attachment.body.data);
    const view = await shop.get(`buyer/products/${id}`);
    expect(view.images).toEqual(attachment.body.data.images);
    expect(view).not.toHaveProperty('attachments');
  });

  it.each([
    ['images', {}, 'url'],
    ['images', { url: 'http://example.com/a.png' }, 'url'],
    ['images', { url: 'https://example.com/a.png', alt: ' ' }, 'alt'],
    ['images', { url: 'https://example.com/a.png', alt: 'x'.repeat(201) }, 'alt'],
    ['images', { url: 'https://user:secret@example.com/a.png' }, 'url'],
    ['images', { url: 'https://example.com/\u202egnp.a' }, 'url'],
    ['attachments', { url: 'a.pdf' }, 'url'],
    ['attachments', { url: 'https://user@example.com/a.pdf' }, 'url'],
    ['attachments', { url: 'https://example.com/a\u200b.pdf' }, 'url'],
    ['attachments', { url: 'https://example.com/a.pdf', name: 5 }, 'name'],
  ])('is refused among %s: %j', async (kind, body, param) => {
    const { id } = await shop.createProduct();
    const { status, body: problem } = await shop.api.post(`/v1/commerce/products/${id}/${kind}`, body);
    expect([status, problem.code, problem.errors[0].param]).toEqual([422, 'validation_failed', param]);
  });

  it('is refused with an unknown field, and for a product of another business', async () => {
    const { id } = await shop.createProduct();
    const path = `/v1/commerce/products/${id}/images`;
    expect((await shop.api.post(path, { ...IMAGE, name: 'A' })).body.code).toBe('unknown_parameter');
    const other = await CommerceFixture.createIn(shop.service);
    expect((await other.api.post(path, IMAGE)).body.code).toBe('not_found');
  });
});

describe('The queue of the reviewers', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  async function listQueue(query = '?approval_status=review'): Promise<string[]> {
    const { body } = await shop.reviewer.get(`/v1/commerce/product-reviews${query}`);
    expect(body.pagination.total_count).toBe(body.data.length);
    return body.data.map(({ id }: Product) => id);
  }

  it('has the products of all businesses and modes that wait for a review, newest first', async () => {
    const testShop = await CommerceFixture.createIn(shop.service, 'test');
    const [first, denied, changed, second] = [
      await shop.createProduct(),
      await shop.createProduct(),
      await shop.createApprovedProduct(),
      await testShop.createProduct(),
    ];
    expect(await listQueue()).toEqual([second.id, denied.id, first.id]);

    await shop.deny(denied.id);
    await shop.edit(changed.id, { metadata: { a: 1 } });
    expect(await listQueue()).toEqual([second.id, first.id]);
    await shop.edit(changed.id, { name: 'Changed' });
    expect(await listQueue('')).toEqual([second.id, changed.id, first.id]);
    await shop.approve(changed.id);
    await shop.approve(second.id);
    await shop.edit(denied.id, { name: 'Better' });
    expect(await listQueue()).toEqual([denied.id, first.id]);
  });

  it('is for reviewers alone', async () => {
    const { status, body } = await shop.list('product-reviews');
    expect([status, body.code]).toEqual([403, 'permission_denied']);
    const other = await shop.reviewer.get('/v1/commerce/product-reviews?approval_status=approved');
    expect([other.status, other.body.errors[0].param]).toEqual([400, 'approval_status']);
  });
});
