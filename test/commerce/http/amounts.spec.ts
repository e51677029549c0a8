import { requireData } from '../../support/api.js';
import { StripeServer } from '../../support/stripe-server.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const DINARS = { ...ONCE, currency: 'KWD', amount_cents: 5_120 };
const CLUB = { ...MONTHLY, currency: 'KWD', amount_cents: 5_120 };
const REFUSED = { status: 422, body: { code: 'amount_not_supported' } };

let server: StripeServer;
let live: CommerceFixture;
let shop: CommerceFixture;
beforeAll(async () => {
  server = await StripeServer.start();
  live = await CommerceFixture.start({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_API_BASE: server.url });
  shop = await CommerceFixture.createIn(live.service, 'test');
});
afterAll(async () => {
  await live.service.stop();
  await server.stop();
});

const createDiscount = async (code: string, percent_off: number) =>
  requireData(await shop.api.post('/v1/commerce/discounts', { code, percent_off, duration: 'forever' }));

describe('An amount that the gateway cannot take', () => {
  it.each([
    [5_125, 'KWD'],
    [5_001, 'TND'],
    [5_050, 'MGA'],
  ])('is refused in a plan: %d %s', async (amount_cents, currency) => {
    const plan = { ...ONCE, amount_cents, currency };
    const created = await shop.api.post('/v1/commerce/products', { name: 'A course', plans: [DINARS, plan] });
    expect(created).toMatchObject({
      ...REFUSED,
      body: { ...REFUSED.body, errors: [{ param: 'plans[1].amount_cents' }] },
    });
    const { id } = await shop.createProduct();
    const added = await shop.api.post(`/v1/commerce/products/${id}/plans`, plan);
    expect(added).toMatchObject({ ...REFUSED, body: { ...REFUSED.body, errors: [{ param: 'amount_cents' }] } });
    expect((await shop.get(`products/${id}`)).plans).toHaveLength(1);
  });

  it('is taken in a mode that another gateway serves', async () => {
    const product = await live.createProduct({ plans: [{ ...DINARS, amount_cents: 5_125 }] });
    expect(product.plans[0].amount_cents).toBe(5_125);
  });

  it('is refused in an offer and in a change of the price', async () => {
    const product = await shop.createApprovedProduct({ plans: [CLUB] });
    const offer = { product_id: product.id, buyer: { email: 'ada@example.com' }, amount_cents: 5_125 };
    expect(await shop.api.post('/v1/commerce/offers', offer)).toMatchObject(REFUSED);

    const order = requireData(await shop.checkOut((await shop.createCart([product])).id, 'pm_card_visa'));
    const path = `/v1/commerce/subscriptions/${order.line_items[0].subscription.id}`;
    expect(await shop.api.post(`${path}/price`, { amount_cents: 5_125 })).toMatchObject(REFUSED);
    expect(requireData(await shop.api.post(`${path}/price`, { amount_cents: 5_130 })).pending_change).toMatchObject({
      amount_cents: 5_130,
    });
  });

  it('is refused when a discount makes it: by the code, by a line and by its quantity', async () => {
    await createDiscount('THIRD', 31);
    await createDiscount('HALF', 50);
    const [course, tens] = [
      await shop.createApprovedProduct({ plans: [DINARS] }),
      await shop.createApprovedProduct({ plans: [{ ...DINARS, amount_cents: 50_000 }] }),
    ];
    const { id } = await shop.createCart([course]);
    const edit = (discount_code: string) => shop.api.patch(`/v1/commerce/carts/${id}`, { discount_code });
    expect(await edit('THIRD')).toMatchObject({
      ...REFUSED,
      body: { ...REFUSED.body, errors: [{ param: 'discount_code' }] },
    });
    expect(requireData(await edit('HALF')).total_amount_cents).toBe(2_560);

    const discounted = await shop.createCart([tens], { discount_code: 'THIRD' });
    expect((await shop.get(`carts/${discounted.id}`)).total_amount_cents).toBe(34_500);
    expect(await shop.addLine(discounted.id, { product_id: course.id })).toMatchObject(REFUSED);
    expect(requireData(await shop.checkOut(discounted.id, 'pm_card_visa'))).toMatchObject({
      status: 'completed',
      total_amount_cents: 34_500,
    });
  });

  it('is refused when a new price leaves it after the discount of the subscription', async () => {
    await createDiscount('TENTH', 10);
    const club = await shop.createApprovedProduct({ plans: [{ ...CLUB, amount_cents: 5_100 }] });
    const cart = await shop.createCart([club], { discount_code: 'TENTH' });
    const order = requireData(await shop.checkOut(cart.id, 'pm_card_visa'));
    const path = `/v1/commerce/subscriptions/${order.line_items[0].subscription.id}`;
    expect(await shop.api.post(`${path}/price`, { amount_cents: 5_110 })).toMatchObject(REFUSED);
    expect((await shop.api.post(`${path}/price`, { amount_cents: 5_200 })).status).toBe(200);
  });
});
