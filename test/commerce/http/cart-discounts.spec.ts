import { subscriptionDecider } from '../../../src/commerce/domain/subscription.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const CARTS = '/v1/commerce/carts';

describe('The discount code of a cart', () => {
  let shop: CommerceFixture;
  let course: { id: string };
  let club: { id: string };
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    course = await shop.createApprovedProduct({ plans: [{ ...ONCE, amount_cents: 1010 }] });
    club = await shop.createApprovedProduct({ plans: [MONTHLY] });
  });
  afterAll(() => shop.service.stop());

  let codes = 0;
  async function createDiscount(body: object = {}) {
    const discount = { code: `CODE${++codes}`, percent_off: 15, ...body };
    return requireData(await shop.api.post('/v1/commerce/discounts', discount));
  }

  const removeDiscount = (id: string) => shop.api.delete(`/v1/commerce/discounts/${id}`);

  async function countRedemptions(id: string): Promise<number> {
    const { data } = (await shop.list('discounts')).body as { data: { id: string; redemptions: number }[] };
    return data.find((discount) => discount.id === id)!.redemptions;
  }

  it('takes a percentage off each line of the cart, the order and its invoice', async () => {
    const discount = await createDiscount();
    const { id } = await shop.createCart([course, club], { discount_code: ` ${discount.code.toLowerCase()} ` });
    const totals = {
      subtotal_amount_cents: 5910,
      discount_amount_cents: 887,
      tax_amount_cents: 0,
      total_amount_cents: 5023,
    };
    const cart = await shop.get(`carts/${id}`);
    expect(cart).toMatchObject({ ...totals, discount: { object: 'discount', id: discount.id } });
    expect(cart.lines.map((line: { amount_cents: number }) => line.amount_cents)).toEqual([858, 4165]);

    const lines = [
      { unit_amount_cents: 1010, discount_amount_cents: 152, amount_cents: 858 },
      { unit_amount_cents: 4900, discount_amount_cents: 735, amount_cents: 4165 },
    ];
    const order = requireData(await shop.checkOut(id));
    expect(order).toMatchObject({ ...totals, line_items: lines });
    expect(await shop.get(`orders/${order.id}`)).toMatchObject({ ...totals, line_items: lines });
    expect(await shop.get(`invoices/${order.invoice.id}`)).toMatchObject({ ...totals, paid_amount_cents: 5023, lines });
    expect(await shop.get(`payments/${order.payments[0].id}`)).toMatchObject({ amount_cents: 5023 });
    expect(await shop.get(`subscriptions/${order.line_items[1].subscription.id}`)).toMatchObject({
      amount_cents: 4900,
    });
  });

  it('is changed and removed with PATCH', async () => {
    const [first, second] = [await createDiscount(), await createDiscount({ percent_off: 50 })];
    const { id } = await shop.createCart([course], { discount_code: first.code });
    const edit = async (discount_code: string | null) =>
      requireData(await shop.api.patch(`${CARTS}/${id}`, { discount_code }));

    expect(await edit(second.code)).toMatchObject({ discount: { id: second.id }, total_amount_cents: 505 });
    expect(await edit(null)).toMatchObject({ discount: null, discount_amount_cents: 0, total_amount_cents: 1010 });
    expect(await edit(first.code)).toMatchObject({ discount: { id: first.id }, total_amount_cents: 858 });
    expect(await shop.get(`carts/${id}`)).toEqual(await edit(first.code));
  });

  it('is refused when it is unknown, deleted, or of another business or mode', async () => {
    const gone = await createDiscount();
    await removeDiscount(gone.id);
    const others = [await CommerceFixture.createIn(shop.service), await CommerceFixture.createIn(shop.service, 'test')];
    for (const other of others)
      requireData(await other.api.post('/v1/commerce/discounts', { code: 'ELSEWHERE', percent_off: 5 }));

    const { id } = await shop.createCart([course]);
    for (const discount_code of ['NOTHING', gone.code, 'ELSEWHERE', 'x'.repeat(255)]) {
      const replies = [
        await shop.api.post(CARTS, { discount_code }),
        await shop.api.patch(`${CARTS}/${id}`, { discount_code }),
      ];
      for (const { status, body } of replies) {
        expect([status, body.code]).toEqual([422, 'discount_invalid']);
        expect(body.errors).toMatchObject([{ code: 'discount_invalid', param: 'discount_code' }]);
      }
    }
    for (const discount_code of ['', 5, 'x'.repeat(256)])
      expect((await shop.api.post(CARTS, { discount_code })).body.code).toBe('validation_failed');
    expect((await shop.api.patch(`${CARTS}/cart_0`, { discount_code: 'NOTHING' })).body.code).toBe('not_found');
  });

  it('is refused at the checkout after its deletion, and the cart stays open', async () => {
    const discount = await createDiscount();
    const { id } = await shop.createCart([course], { discount_code: discount.code });
    await removeDiscount(discount.id);
    const refused = await shop.checkOut(id);
    expect([refused.status, refused.body.code]).toEqual([422, 'discount_invalid']);

    requireData(await shop.api.patch(`${CARTS}/${id}`, { discount_code: null }));
    expect(requireData(await shop.checkOut(id)).total_amount_cents).toBe(1010);
  });

  it('is redeemed once for each completed order', async () => {
    const discount = await createDiscount();
    const { id } = await shop.createCart([course], { discount_code: discount.code });
    expect((await shop.checkOut(id, 'tok_declined')).status).toBe(402);
    expect(await countRedemptions(discount.id)).toBe(0);

    const key = { 'idempotency-key': `redeem ${id}` };
    requireData(await shop.checkOut(id, 'tok_ok', key));
    requireData(await shop.checkOut(id, 'tok_ok', key));
    expect(await countRedemptions(discount.id)).toBe(1);
    await shop.createOrder([course], { discount_code: discount.code });
    expect(await countRedemptions(discount.id)).toBe(2);
    expect((await removeDiscount(discount.id)).body.data).toMatchObject({ status: 'deleted', redemptions: 2 });
  });

  it('needs no payment method at 100 percent, and creates a zero invoice and no payment', async () => {
    const { code } = await createDiscount({ percent_off: 100 });
    const { id } = await shop.createCart([club], { discount_code: code });
    const order = requireData(await shop.api.post(`${CARTS}/${id}/checkout`, {}));
    expect(order).toMatchObject({
      status: 'completed',
      payments: [],
      discount_amount_cents: 4900,
      total_amount_cents: 0,
    });
    expect(await shop.get(`invoices/${order.invoice.id}`)).toMatchObject({
      status: 'paid',
      payment: null,
      subtotal_amount_cents: 4900,
      total_amount_cents: 0,
    });
    expect(await shop.get(`subscriptions/${order.line_items[0].subscription.id}`)).toMatchObject({
      status: 'active',
      amount_cents: 4900,
    });

    const withToken = await shop.createCart([club], { discount_code: code });
    expect(requireData(await shop.checkOut(withToken.id)).payments).toEqual([]);
  });

  it.each([
    [{ duration: 'once' }, '2030-01-31T09:00:00.000Z'],
    [{ duration: 'repeating', months: 1 }, '2030-02-28T09:00:00.000Z'],
    [{ duration: 'repeating', months: 12 }, '2031-01-31T09:00:00.000Z'],
    [{ duration: 'forever' }, null],
  ])('with %j covers the renewals of a subscription before %s', async (terms, coveredUntil) => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    requireData(await seller.api.put('/v1/commerce/test-clock', { now: '2030-01-31T09:00:00.000Z' }));
    requireData(await seller.api.post('/v1/commerce/discounts', { code: 'COVERED', percent_off: 20, ...terms }));
    const order = await seller.createOrder([await seller.createApprovedProduct({ plans: [MONTHLY] })], {
      discount_code: 'COVERED',
    });

    const { id } = order.line_items[0].subscription;
    const [started] = await shop.service.get(Streams).loadHistory(subscriptionDecider, id);
    const { duration } = terms;
    expect(started!.data).toMatchObject({ amountCents: 4900, discount: { percentOff: 20, duration, coveredUntil } });
  });
});
