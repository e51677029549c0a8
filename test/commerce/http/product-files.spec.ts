import { requireData } from '../../support/api.js';
import { CommerceFixture } from '../commerce-fixture.js';

const URL = 'https://example.com/a.png';

let shop: CommerceFixture;
beforeAll(async () => {
  shop = await CommerceFixture.start();
});
afterAll(() => shop.service.stop());

describe('The files of a product', () => {
  it.each(['images', 'attachments'] as const)('can be removed without another review: %s', async (kind) => {
    const { id } = await shop.createApprovedProduct();
    const path = `/v1/commerce/products/${id}/${kind}`;
    for (let n = 0; n < 2; n++) requireData(await shop.api.post(path, { url: URL }));
    const before = await shop.get(`products/${id}`);
    const [first, second] = before[kind];

    const after = requireData(await shop.api.delete(`${path}/${first.id}`));
    expect(after).toEqual({ ...before, [kind]: [second], updated_at: after.updated_at });
    expect(await shop.get(`products/${id}`)).toEqual(after);
    for (const fileId of [first.id, 'img_unknown'])
      expect((await shop.api.delete(`${path}/${fileId}`)).status).toBe(404);
  });

  it('cannot be removed by another business', async () => {
    const { id } = await shop.createApprovedProduct();
    const { images } = requireData(await shop.api.post(`/v1/commerce/products/${id}/images`, { url: URL }));
    const other = await CommerceFixture.createIn(shop.service);
    expect((await other.api.delete(`/v1/commerce/products/${id}/images/${images[0].id}`)).status).toBe(404);
  });

  it.each([
    'https://example.com/a\u0001.png',
    'https://example.com/a\r\nSet-Cookie: a=b',
    'https://example.com/\u0085',
  ])('have no control characters in their addresses: %j', async (url) => {
    const { id } = await shop.createProduct();
    for (const kind of ['images', 'attachments']) {
      const { status, body } = await shop.api.post(`/v1/commerce/products/${id}/${kind}`, { url });
      expect([status, body.errors[0].param]).toEqual([422, 'url']);
    }
  });
});
