import { type Api, requireData } from '../../support/api.js';
import { CommerceFixture } from '../commerce-fixture.js';

let shop: CommerceFixture;
let course: { id: string };
beforeEach(async () => {
  shop = await CommerceFixture.start();
  course = await shop.createApprovedProduct();
});
afterEach(() => shop.service.stop());

const signIn = async (subject: string) =>
  shop.service.createApi(await shop.service.signToken(subject, { email: `${subject}@example.com` }));

/** Creates a cart of its own for the payment. */
async function pay(buyer: Api, token = 'tok_declined') {
  const body = { business_id: shop.businessId, buyer: { email: 'eve@example.com' } };
  const { id } = requireData(await buyer.post('/v1/commerce/carts', body));
  requireData(await buyer.post(`/v1/commerce/carts/${id}/lines`, { product_id: course.id }));
  return buyer.post(`/v1/commerce/carts/${id}/checkout`, { payment_method: { token } });
}

const guess = (buyer: Api, code: string) =>
  buyer.post('/v1/commerce/carts', { business_id: shop.businessId, discount_code: code });

describe('A buyer who tests cards', () => {
  it('has at most 10 declined payments an hour, over all carts and sessions of one address', async () => {
    const [eve, mallory] = [await signIn('eve'), await signIn('mallory')];
    for (let n = 0; n < 10; n++) expect((await pay(eve)).status).toBe(402);
    for (const buyer of [eve, mallory]) {
      const { status, body, headers } = await pay(buyer, 'tok_ok');
      expect([status, body.code]).toEqual([429, 'rate_limited']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await shop.list('payments')).body.pagination.total_count).toBe(10);
  });

  it('does not stop the shop, whose requests have one address for all its buyers', async () => {
    const eve = await signIn('eve');
    for (let n = 0; n < 10; n++) await pay(eve);
    expect((await shop.createOrder([course])).status).toBe('completed');
    for (let n = 0; n < 12; n++)
      expect((await shop.checkOut((await shop.createCart([course])).id, 'tok_declined')).status).toBe(402);
  });

  it('is another one in another business', async () => {
    const eve = await signIn('eve');
    for (let n = 0; n < 10; n++) await pay(eve);
    const other = await CommerceFixture.createIn(shop.service);
    [shop, course] = [other, await other.createApprovedProduct()];
    expect((await pay(await signIn('mallory'), 'tok_ok')).status).toBe(201);
  });
});

describe('A buyer who guesses discount codes', () => {
  it('has at most 30 wrong ones an hour', async () => {
    requireData(await shop.api.post('/v1/commerce/discounts', { code: 'SPRING', percent_off: 10, duration: 'once' }));
    const eve = await signIn('eve');
    expect((await guess(eve, 'spring')).status).toBe(201);
    for (let n = 0; n < 30; n++) expect((await guess(eve, `AB${n}`)).body.code).toBe('discount_invalid');
    const { status, body } = await guess(eve, 'SPRING');
    expect([status, body.code]).toEqual([429, 'rate_limited']);
  });

  it('has as many by one cart, also when the shop changes it', async () => {
    const { id } = await shop.createCart();
    const edit = (discount_code: string) => shop.api.patch(`/v1/commerce/carts/${id}`, { discount_code });
    for (let n = 0; n < 30; n++) expect((await edit(`AB${n}`)).status).toBe(422);
    expect((await edit('AB30')).body.code).toBe('rate_limited');
    const other = await shop.createCart();
    expect((await shop.api.patch(`/v1/commerce/carts/${other.id}`, { discount_code: 'AB' })).status).toBe(422);
  });

  it('may still create, change and check out carts without a code', async () => {
    const eve = await signIn('eve');
    const body = { business_id: shop.businessId, buyer: { email: 'eve@example.com' } };
    const { id } = requireData(await eve.post('/v1/commerce/carts', body));
    const edit = (fields: object) => eve.patch(`/v1/commerce/carts/${id}`, fields);
    for (let n = 0; n < 30; n++) await edit({ discount_code: `AB${n}` });
    expect((await edit({ discount_code: 'AB30' })).body.code).toBe('rate_limited');
    expect((await edit({ discount_code: null })).status).toBe(200);
    expect((await edit({ buyer: { email: 'eva@example.com' } })).status).toBe(200);
    expect((await pay(eve, 'tok_ok')).status).toBe(201);
  });
});
