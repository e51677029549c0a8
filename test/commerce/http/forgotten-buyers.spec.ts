import { ForgetBuyer, ForgetBuyerHandler } from '../../../src/commerce/commands/buyer.commands.js';
import { BuyerCharges } from '../../../src/commerce/commands/buyer-charges.steps.js';
import { OpenSales } from '../../../src/commerce/commands/buyer-sales.steps.js';
import { ReadModelReader } from '../../../src/engine/read-models/read-model-reader.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { Subjects } from '../../../src/identity/subjects.js';
import { createSystemContext } from '../../../src/identity/system-context.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { forgetAddress, forgetBuyer } from '../../support/forget.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

let shop: CommerceFixture;
let course: { id: string };
beforeAll(async () => {
  shop = await CommerceFixture.start();
  course = await shop.createApprovedProduct();
});
afterAll(() => shop.service.stop());

const toBuyer = (name: string) => ({ email: `${name}@example.com`, name });
const fillCart = (name: string, seller = shop, product = course) =>
  seller.createCart([product], { buyer: toBuyer(name) });
const offerTo = async (name: string, send = true) =>
  requireData(
    await shop.api.post('/v1/commerce/offers', {
      ...{ product_id: course.id, amount_cents: 900, buyer: toBuyer(name), send },
    }),
  );
const take = (offer_id: string) => shop.api.post('/v1/commerce/carts', { offer_id });
const findBuyers = async (name: string, seller = shop) =>
  requireData(await seller.list(`buyers?email=${name}@example.com`));
const forget = (id: string, seller = shop, query = '') =>
  seller.api.delete(`/v1/commerce/buyers/${id}/personal-data${query}`);
const codeOf = ({ status, body }: ApiResponse) => [status, body.code];

describe('A person who was forgotten', () => {
  it('is not charged for a cart that was open, and can buy again', async () => {
    await shop.createOrder([course], { buyer: toBuyer('ann') });
    const { id, buyer } = await fillCart('ann');
    requireData(await forget(buyer.id));

    expect(await shop.get(`carts/${id}`)).toMatchObject({ status: 'expired', buyer: { email: null, erased: true } });
    expect(codeOf(await shop.checkOut(id))).toEqual([422, 'cart_not_open']);
    expect(codeOf(await shop.addLine(id, { product_id: course.id }))).toEqual([422, 'cart_not_open']);
    const again = await fillCart('ann');
    expect(requireData(await shop.checkOut(again.id))).toMatchObject({ status: 'completed', buyer: toBuyer('ann') });
  });

  it('has no open offer any more', async () => {
    const [draft, sent, taken] = [await offerTo('ben', false), await offerTo('ben'), await offerTo('ben')];
    const cart = requireData(await take(taken.id));
    requireData(await forget(sent.buyer.id));

    for (const { id } of [draft, sent, taken]) {
      expect(await shop.get(`offers/${id}`)).toMatchObject({ status: 'cancelled', buyer: { email: null } });
      expect(codeOf(await take(id))).toEqual([422, 'offer_cancelled']);
      expect(codeOf(await shop.api.post(`/v1/commerce/offers/${id}/send`))[0]).toBe(422);
    }
    expect(codeOf(await shop.checkOut(cart.id))).toEqual([422, 'cart_not_open']);
  });

  it('leaves the carts that have another buyer now', async () => {
    const { id, buyer } = await fillCart('cat');
    requireData(await shop.api.patch(`/v1/commerce/carts/${id}`, { buyer: toBuyer('dan') }));
    requireData(await forget(buyer.id));
    expect(requireData(await shop.checkOut(id)).buyer).toMatchObject(toBuyer('dan'));
  });

  it('leaves the carts in the other mode and of another business', async () => {
    const others = [await CommerceFixture.createIn(shop.service, 'test'), await CommerceFixture.createIn(shop.service)];
    const open = [];
    for (const other of others) open.push(await fillCart('eva', other, await other.createApprovedProduct()));
    requireData(await forget((await fillCart('eva')).buyer.id));
    for (const [i, other] of others.entries())
      expect(requireData(await other.checkOut(open[i].id)).buyer).toMatchObject(toBuyer('eva'));
  });

  it('keeps the carts and offers when the erasure is refused', async () => {
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    await shop.createOrder([club], { buyer: toBuyer('fay') });
    const [{ id, buyer }, offer] = [await fillCart('fay'), await offerTo('fay')];
    expect(codeOf(await forget(buyer.id))).toEqual([422, 'buyer_has_active_charges']);
    expect(await shop.get(`offers/${offer.id}`)).toMatchObject({ status: 'sent' });
    expect((await shop.checkOut(id)).status).toBe(201);
  });

  it('is not charged by a checkout that is faster than the end of the cart or the offer', async () => {
    const [{ id, buyer }, offer] = [await fillCart('gil'), await offerTo('gil')];
    const accepting = requireData(await take(offer.id));
    await forgetBuyer(shop.service, 'gil@example.com', buyer.id);

    for (const cart of [id, accepting.id]) expect(codeOf(await shop.checkOut(cart))).toEqual([422, 'cart_not_open']);
    // The offer ends after the erasure, so it may still be open.
    const late = await take(offer.id);
    const refused = late.status === 201 ? await shop.checkOut(late.body.data.id) : late;
    expect(codeOf(refused)).toEqual([422, 'offer_cancelled']);
    expect((await shop.list(`payments?buyer_email=gil@example.com`)).body.data).toEqual([]);
  });
});

describe('A person who gives the address again after an erasure', () => {
  it('is another buyer, and the orders from before stay erased', async () => {
    const before = await shop.createOrder([course], { buyer: toBuyer('pia') });
    requireData(await forget(before.buyer.id));
    const after = await shop.createOrder([course], { buyer: { ...toBuyer('pia'), name: 'Pia' } });

    expect(after.buyer).toMatchObject({ email: 'pia@example.com', name: 'Pia' });
    expect(after.buyer.id).not.toBe(before.buyer.id);
    expect((await shop.get(`orders/${before.id}`)).buyer).toMatchObject({ email: null, name: null, erased: true });
    expect(await findBuyers('pia')).toMatchObject([{ id: after.buyer.id, orders_count: 1 }]);
    for (const list of ['orders', 'payments', 'invoices'])
      expect([list, (await shop.list(`${list}?buyer_email=pia@example.com`)).body.pagination]).toMatchObject([
        list,
        { total_count: 1 },
      ]);
    expect((await shop.get(`buyers/${after.buyer.id}/personal-data`)).orders).toMatchObject([{ id: after.id }]);
    expect(await shop.get(`buyers/${before.buyer.id}`)).toMatchObject({ erased: true, orders_count: 1 });
  });

  it('is forgotten again, with the new data, the open sales and the new charges', async () => {
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const ids = [];
    for (const time of ['first', 'second', 'third']) {
      const { buyer, line_items } = await shop.createOrder([club], { buyer: toBuyer('quin') });
      const [cart, offer] = [await fillCart('quin'), await offerTo('quin')];
      expect([time, codeOf(await forget(buyer.id))]).toEqual([time, [422, 'buyer_has_active_charges']]);
      expect(requireData(await forget(buyer.id, shop, '?end_charges=true'))).toMatchObject({ erased: true });

      expect(await findBuyers('quin')).toEqual([]);
      expect(codeOf(await shop.checkOut(cart.id))).toEqual([422, 'cart_not_open']);
      expect(await shop.get(`offers/${offer.id}`)).toMatchObject({ status: 'cancelled', buyer: { email: null } });
      const { subscription } = line_items[0];
      expect(await shop.get(`subscriptions/${subscription.id}`)).toMatchObject({ status: 'cancelled' });
      ids.push(buyer.id);
    }
    expect(new Set(ids).size).toBe(3);
  });

  it('keeps the new purchase when the earlier buyer is erased once more', async () => {
    const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
    const { buyer } = await fillCart('rob');
    requireData(await forget(buyer.id));
    const order = await shop.createOrder([club], { buyer: toBuyer('rob') });
    requireData(await forget(buyer.id, shop, '?end_charges=true'));

    expect(await shop.get(`orders/${order.id}`)).toMatchObject({ buyer: toBuyer('rob') });
    const { subscription } = order.line_items[0];
    expect(await shop.get(`subscriptions/${subscription.id}`)).toMatchObject({ status: 'active' });
  });
});

describe('An erasure that a crash interrupts after its event', () => {
  it.each([
    ['the buyer', 'sam', (id: string) => forgetBuyer(shop.service, 'sam@example.com', id)],
    ['the address', 'tom', () => forgetAddress(shop.service, 'tom@example.com')],
  ])('of %s ends what a checkout has started since its search', async (_, name, forgetOrdering) => {
    const plans = [MONTHLY, { ...MONTHLY, kind: 'installment', installments_count: 3 }];
    const products = [];
    for (const plan of plans) products.push(await shop.createApprovedProduct({ plans: [plan] }));
    const order = await shop.createOrder(products, { buyer: toBuyer(name) });
    const [cart, offer] = [await fillCart(name), await offerTo(name)];
    await forgetOrdering(order.buyer.id);

    const { subscription } = order.line_items[0];
    await shop.readUntil(`subscriptions/${subscription.id}`, ({ status }) => status === 'cancelled');
    await shop.readUntil(`orders/${order.id}`, ({ installments }) => installments.status === 'cancelled');
    await shop.readUntil(`carts/${cart.id}`, ({ status }) => status === 'expired');
    await shop.readUntil(`offers/${offer.id}`, ({ status }) => status === 'cancelled');
  });
});

describe('An erasure during which a checkout completes', () => {
  /** Runs a checkout after the search for charges, before the erasure is recorded. */
  class LateSales extends OpenSales {
    checkOut = () => Promise.resolve();

    override async find(...request: Parameters<OpenSales['find']>) {
      await this.checkOut();
      return super.find(...request);
    }
  }

  it.each([
    ['a subscription', MONTHLY, 'hal'],
    ['installments', { ...MONTHLY, kind: 'installment', installments_count: 3 }, 'ivo'],
  ])('ends %s that it has started', async (_, plan, name) => {
    const club = await shop.createApprovedProduct({ plans: [plan] });
    const { id, buyer } = await fillCart(name, shop, club);
    const get = shop.service.get.bind(shop.service);
    const sales = new LateSales(get(EventStore), get(ReadModelReader), get(Streams));
    let order: ApiResponse['body']['data'];
    sales.checkOut = async () => {
      order = requireData(await shop.checkOut(id));
    };
    const handler = new ForgetBuyerHandler(get(ReadModelReader), get(Subjects), get(BuyerCharges), sales);
    const context = { ...createSystemContext(Date.now()), business: shop.businessId };
    await handler.execute(new ForgetBuyer(context, { id: buyer.id, endCharges: false }));

    // The command ran beside HTTP, so the client has no token of its events.
    expect(await shop.readUntil(`buyers/${buyer.id}`, ({ erased }) => erased)).toMatchObject({ erased: true });
    const { subscription } = order.line_items[0];
    if (subscription) await shop.readUntil(`subscriptions/${subscription.id}`, ({ status }) => status === 'cancelled');
    else await shop.readUntil(`orders/${order.id}`, ({ installments }) => installments.status === 'cancelled');
  });
});

describe('A buyer without a completed order', () => {
  const startTest = async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    requireData(await seller.api.put('/v1/commerce/test-clock', { now: '2030-01-31T09:00:00.000Z' }));
    return { seller, product: await seller.createApprovedProduct({ plans: [ONCE] }) };
  };

  it.each([
    ['an open cart', 'ida', () => fillCart('ida'), 'carts'],
    ['an offer', 'jan', () => offerTo('jan'), 'offers'],
    ['a draft of an offer', 'kim', () => offerTo('kim', false), 'offers'],
    [
      'a cart that got the address later',
      'leo',
      async () => {
        const { id } = requireData(await shop.api.post('/v1/commerce/carts', {}));
        return requireData(await shop.api.patch(`/v1/commerce/carts/${id}`, { buyer: toBuyer('leo') }));
      },
      'carts',
    ],
    [
      'a declined payment',
      'mia',
      async () => {
        const cart = requireData(await shop.api.post('/v1/commerce/carts', {}));
        requireData(await shop.addLine(cart.id, { product_id: course.id }));
        const body = { payment_method: { token: 'tok_declined' }, buyer: toBuyer('mia') };
        expect((await shop.api.post(`/v1/commerce/carts/${cart.id}/checkout`, body)).status).toBe(402);
        return shop.get(`carts/${cart.id}`);
      },
      'orders',
    ],
  ] as const)('exists with %s, and can be forgotten', async (_, name, begin, kind) => {
    const { buyer } = await begin();
    const expected = { id: buyer.id, ...toBuyer(name), orders_count: 0, spent: [], first_order_at: null };
    expect(await shop.get(`buyers/${buyer.id}`)).toMatchObject(expected);
    expect(await findBuyers(name)).toMatchObject([expected]);
    expect((await shop.get(`buyers/${buyer.id}/personal-data`))[kind]).toHaveLength(1);

    const erased = { id: buyer.id, email: null, name: null, erased: true };
    expect(requireData(await forget(buyer.id))).toMatchObject(erased);
    expect(await shop.get(`buyers/${buyer.id}`)).toMatchObject(erased);
    expect(await findBuyers(name)).toEqual([]);
  });

  it('exists with a first payment that has no result, which ends with the erasure', async () => {
    const { seller, product } = await startTest();
    const cart = await fillCart('noa', seller, product);
    const order = requireData(await seller.checkOut(cart.id, 'tok_pending'));
    const [buyer] = await findBuyers('noa', seller);
    expect(buyer).toMatchObject({ id: order.buyer.id, orders_count: 0 });
    expect(codeOf(await forget(buyer.id, seller))).toEqual([422, 'buyer_has_active_charges']);

    expect(requireData(await forget(buyer.id, seller, '?end_charges=true'))).toMatchObject({ erased: true });
    expect(await seller.get(`carts/${cart.id}`)).toMatchObject({ status: 'expired' });
    expect(codeOf(await seller.checkOut(cart.id))).toEqual([422, 'cart_not_open']);
    requireData(await seller.api.put('/v1/commerce/test-clock', { now: '2030-03-01T09:00:00.000Z' }));
    expect(await seller.get(`orders/${order.id}`)).toMatchObject({ status: 'failed' });
    expect((await seller.list('payments')).body.data).toMatchObject([{ status: 'failed' }]);
  });

  it('keeps the name of the sale when anybody names the address in a cart', async () => {
    await shop.createOrder([course], { buyer: toBuyer('olga') });
    const { buyer } = await shop.createCart([], { buyer: { email: 'olga@example.com', name: 'Mallory' } });
    expect(await shop.get(`buyers/${buyer.id}`)).toMatchObject({ name: 'olga', orders_count: 1 });
  });
});
