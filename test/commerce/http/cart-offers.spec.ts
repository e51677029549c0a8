import { type ApiResponse, requireData } from '../../support/api.js';
import { Receiver } from '../../support/receiver.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

const CARTS = '/v1/commerce/carts';
const OFFERS = '/v1/commerce/offers';
const BUYER = { email: 'ada@example.com', name: 'Ada' };

let shop: CommerceFixture;
let receiver: Receiver;
let club: { id: string };
beforeAll(async () => {
  receiver = await Receiver.start();
  shop = await CommerceFixture.start({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  club = await shop.createApprovedProduct({ plans: [MONTHLY] });
});
afterAll(() => Promise.all([shop.service.stop(), receiver.stop()]));

async function createOffer(body: object = {}, seller = shop) {
  const fields = { product_id: club.id, buyer: BUYER, amount_cents: 3900, send: true };
  return requireData(await seller.api.post(OFFERS, { ...fields, ...body }));
}
const take = (offer_id: string, body: object = {}) => shop.api.post(CARTS, { offer_id, ...body });
const edit = (id: string, body: object) => shop.api.patch(`${CARTS}/${id}`, body);
const cancel = (id: string) => shop.api.post(`${OFFERS}/${id}/cancel`);
const codeOf = ({ status, body }: ApiResponse) => [status, body.code];

describe('A cart for an offer', () => {
  it('is sold at the price of the offer, which then is accepted with its order', async () => {
    requireData(
      await shop.api.post('/v1/webhooks/endpoints', { url: receiver.url('/'), event_types: ['offer.accepted'] }),
    );
    const offer = await createOffer();
    const reference = { object: 'offer', id: offer.id };
    const cart = requireData(await take(offer.id));
    expect(cart).toMatchObject({ offer: reference, currency: 'EUR', total_amount_cents: 3900 });
    expect(cart.buyer).toEqual({ object: 'buyer', id: offer.buyer.id, ...BUYER });
    expect(cart.lines).toMatchObject([{ product: { id: club.id }, quantity: 1, unit_amount_cents: 3900 }]);
    expect(await shop.get(`carts/${cart.id}`)).toMatchObject({ offer: reference, lines: cart.lines });

    const order = requireData(await shop.checkOut(cart.id));
    expect(order).toMatchObject({ offer: reference, total_amount_cents: 3900 });
    expect(await shop.get(`orders/${order.id}`)).toMatchObject({ offer: reference });
    const { subscription } = order.line_items[0];
    expect(await shop.get(`subscriptions/${subscription.id}`)).toMatchObject({ amount_cents: 3900 });

    const accepted = await shop.get(`offers/${offer.id}`);
    const orderReference = { object: 'order', id: order.id };
    expect(accepted).toMatchObject({ status: 'accepted', order: orderReference, accepted_at: expect.any(String) });
    const [event] = await receiver.waitForRequests('/', 1);
    expect(JSON.parse(event!.body).data).toEqual(accepted);
    expect(codeOf(await cancel(offer.id))).toEqual([422, 'offer_already_accepted']);

    const { offers } = await shop.get(`buyers/${offer.buyer.id}/personal-data`);
    expect(offers).toEqual([accepted]);
  });

  it('is refused for an offer that is unknown, of another business, or in another state', async () => {
    const other = await CommerceFixture.createIn(shop.service);
    const foreign = await createOffer({ product_id: (await other.createApprovedProduct()).id }, other);
    const { id } = requireData(await shop.api.post(CARTS, {}));
    for (const offerId of ['off_unknown', foreign.id])
      for (const { status, body } of [await take(offerId), await edit(id, { offer_id: offerId })])
        expect([status, body.errors]).toEqual([422, [{ code: 'not_found', detail: 'not found', param: 'offer_id' }]]);

    const draft = await createOffer({ send: false });
    const cancelled = await createOffer();
    await cancel(cancelled.id);
    for (const [offerId, code] of [
      [draft.id, 'offer_not_sent'],
      [cancelled.id, 'offer_cancelled'],
    ])
      for (const answer of [await take(offerId), await edit(id, { offer_id: offerId })])
        expect(codeOf(answer)).toEqual([422, code]);
  });

  it('is for the buyer of the offer alone', async () => {
    const { id } = await createOffer();
    const bob = { buyer: { email: 'bob@example.com' } };
    expect(codeOf(await take(id, bob))).toEqual([422, 'offer_buyer_mismatch']);
    const cart = requireData(await take(id, { buyer: { email: ' ADA@example.com ' } }));
    expect(cart.buyer.name).toBe('Ada');
    expect(codeOf(await edit(cart.id, bob))).toEqual([422, 'offer_buyer_mismatch']);
    const checkout = { payment_method: { token: 'tok_ok' }, ...bob };
    expect(codeOf(await shop.api.post(`${CARTS}/${cart.id}/checkout`, checkout))).toEqual([
      422,
      'offer_buyer_mismatch',
    ]);
  });

  it('shows the address to the seller and to the verified buyer, and masks it for others', async () => {
    const offer = await createOffer();
    const signIn = async (subject: string, email?: string) =>
      shop.service.createApi(await shop.service.signToken(subject, { ...(email && { email }) }));
    const body = { business_id: shop.businessId, offer_id: offer.id };
    const masked = { object: 'buyer', id: offer.buyer.id, email: 'a…@example.com', name: null };

    const ada = await signIn('ada', 'Ada@example.com');
    expect(requireData(await ada.post(CARTS, body)).buyer).toMatchObject(BUYER);
    const bob = await signIn('bob', 'bob@example.com');
    expect(codeOf(await bob.post(CARTS, body))).toEqual([422, 'offer_buyer_mismatch']);
    const unverified = await signIn('unverified');
    const { id } = requireData(await unverified.post(CARTS, body));
    expect(requireData(await unverified.get(`${CARTS}/${id}`)).buyer).toEqual(masked);
    const edited = await unverified.patch(`${CARTS}/${id}`, { buyer: { email: BUYER.email } });
    expect(requireData(edited).buyer).toEqual(masked);
  });

  it('masks the address for its token, which pays for the buyer of the offer', async () => {
    const offer = await createOffer();
    const cart = requireData(await take(offer.id));
    expect(cart.buyer).toMatchObject(BUYER);
    const holder = shop.service.createApi(cart.cart_token);
    const masked = { email: 'a…@example.com', name: null };
    expect(requireData(await holder.get(`${CARTS}/${cart.id}`)).buyer).toMatchObject(masked);
    const payment = { payment_method: { token: 'tok_ok' } };
    const paid = requireData(await holder.post(`${CARTS}/${cart.id}/checkout`, payment));
    expect(paid).toMatchObject({ status: 'completed', buyer: masked });
    expect((await shop.get(`orders/${paid.id}`)).buyer).toMatchObject(BUYER);
    expect((await shop.get(`carts/${cart.id}`)).buyer).toMatchObject(BUYER);
  });

  it('keeps its line until the offer is removed from it', async () => {
    const offer = await createOffer();
    const { id } = await shop.createCart([club]);
    const cart = requireData(await edit(id, { offer_id: offer.id }));
    expect(cart).toMatchObject({ offer: { id: offer.id }, lines: [{ unit_amount_cents: 3900 }] });

    const line = `${CARTS}/${id}/lines/${cart.lines[0].id}`;
    for (const answer of [
      await shop.addLine(id, { product_id: club.id }),
      await shop.api.patch(line, { quantity: 2 }),
      await shop.api.delete(line),
    ])
      expect(codeOf(answer)).toEqual([422, 'cart_locked']);
    expect(codeOf(await take(offer.id, { currency: 'USD' }))).toEqual([422, 'currency_mismatch']);
    requireData(await shop.api.post('/v1/commerce/discounts', { code: 'SPRING', percent_off: 10 }));
    expect(codeOf(await edit(id, { discount_code: 'SPRING' }))).toEqual([422, 'discount_invalid']);

    expect(requireData(await edit(id, { offer_id: null }))).toMatchObject({ offer: null, lines: [] });
    expect((await shop.addLine(id, { product_id: club.id })).status).toBe(201);
  });

  it('cannot be paid after the offer was cancelled, and can be paid again after a declined card', async () => {
    const [gone, offer] = [await createOffer(), await createOffer()];
    const late = requireData(await take(gone.id));
    await cancel(gone.id);
    expect(codeOf(await shop.checkOut(late.id))).toEqual([422, 'offer_cancelled']);

    const { id } = requireData(await take(offer.id));
    expect(codeOf(await shop.checkOut(id, 'tok_declined'))).toEqual([402, 'payment_failed']);
    expect((await shop.get(`offers/${offer.id}`)).status).toBe('sent');
    expect(requireData(await shop.checkOut(id)).status).toBe('completed');
  });

  it('is paid once of several at the same time', async () => {
    const offer = await createOffer();
    const carts = await Promise.all([1, 2, 3].map(async () => requireData(await take(offer.id))));
    const answers = await Promise.all(carts.map(({ id }) => shop.checkOut(id)));

    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(['concurrent_update', 'offer_already_accepted']).toContain(body.code);
    const { order } = await shop.get(`offers/${offer.id}`);
    expect(order.id).toBe(answers.find(({ status }) => status === 201)!.body.data.id);
    for (const { id } of carts)
      expect(codeOf(await shop.checkOut(id))[1]).toMatch(/^(offer_already_accepted|cart_not_open)$/);
  });

  it('is neither sold again nor expired while a payment is pending', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const now = (hour: number) => seller.api.put('/v1/commerce/test-clock', { now: `2030-03-02T0${hour}:00:00Z` });
    await now(1);
    const product = await seller.createApprovedProduct({ plans: [MONTHLY] });
    const body = { product_id: product.id, expires_at: '2030-03-02T01:30:00Z' };
    const offer = await createOffer(body, seller);
    const [first, second] = [1, 2].map(async () =>
      requireData(await seller.api.post(CARTS, { offer_id: offer.id })),
    ) as [Promise<{ id: string }>, Promise<{ id: string }>];
    expect(requireData(await seller.checkOut((await first).id, 'tok_pending')).status).toBe('pending');
    expect(codeOf(await seller.checkOut((await second).id))).toEqual([409, 'concurrent_update']);
    expect(codeOf(await seller.api.post(`${OFFERS}/${offer.id}/cancel`))).toEqual([409, 'concurrent_update']);

    await now(3);
    expect(await seller.get(`offers/${offer.id}`)).toMatchObject({
      status: 'accepted',
      accepted_at: '2030-03-02T02:00:00.000Z',
    });
  });
});
