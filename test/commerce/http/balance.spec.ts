import { requireData } from '../../support/api.js';
import { CommerceFixture } from '../commerce-fixture.js';

const HUNDRED = { kind: 'one_time', amount_cents: 10_000, currency: 'EUR' };

describe('The balance', () => {
  let shop: CommerceFixture;
  beforeAll(async () => {
    shop = await CommerceFixture.start();
  });
  afterAll(() => shop.service.stop());

  const payOut = (seller: CommerceFixture, amount: number, currency = 'EUR', headers = {}) =>
    seller.api.post('/v1/commerce/payouts', { amount_cents: amount, currency }, headers);

  it('is empty without a sale', async () =>
    expect(await shop.get('balance')).toEqual({ object: 'balance', balances: [] }));

  it('has the net amount of sales less payouts, by currency', async () => {
    const seller = await CommerceFixture.createIn(shop.service);
    const inDollars = { ...HUNDRED, currency: 'USD' };
    for (const plan of [HUNDRED, inDollars, HUNDRED])
      await seller.createOrder([await seller.createApprovedProduct({ plans: [plan] })]);
    expect((await seller.get('balance')).balances).toEqual([
      { currency: 'EUR', amount_cents: 19_400, pending_cents: 19_400 },
      { currency: 'USD', amount_cents: 9_700, pending_cents: 9_700 },
    ]);

    requireData(await payOut(seller, 9_400));
    expect((await seller.get('balance')).balances[0]).toEqual({
      currency: 'EUR',
      amount_cents: 10_000,
      pending_cents: 10_000,
    });
  });

  it('is never pending beyond its amount: after a payout of everything, and after a refund whose fee remains', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const setClock = async (now: string) => requireData(await seller.api.put('/v1/commerce/test-clock', { now }));
    await setClock('2030-01-01T00:00:00.000Z');
    const product = await seller.createApprovedProduct({ plans: [HUNDRED] });
    const { payments } = await seller.createOrder([product]);
    requireData(await payOut(seller, 9_700));
    const shown = async () => (await seller.get('balance')).balances[0];
    expect(await shown()).toMatchObject({ amount_cents: 0, pending_cents: 0 });

    await seller.createOrder([product]);
    expect(await shown()).toMatchObject({ amount_cents: 9_700, pending_cents: 9_700 });
    requireData(await seller.api.post(`/v1/commerce/payments/${payments[0].id}/refunds`));
    expect(await shown()).toMatchObject({ amount_cents: -300, pending_cents: 0 });
    await setClock('2030-01-08T00:00:00.000Z');
    expect(await shown()).toMatchObject({ amount_cents: -300, pending_cents: 0 });
  });

  it('is pending until the funds of its sales are released, less the refunds', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const setClock = (now: string) => seller.api.put('/v1/commerce/test-clock', { now });
    await setClock('2030-01-01T00:00:00.000Z');
    const product = await seller.createApprovedProduct({ plans: [HUNDRED] });
    const [first, second] = [await seller.createOrder([product]), await seller.createOrder([product])];
    const refund = (paymentId: string) =>
      seller.api.post(`/v1/commerce/payments/${paymentId}/refunds`, { amount_cents: 1_000 });
    requireData(await refund(first.payments[0].id));
    expect((await seller.get('balance')).balances).toEqual([
      { currency: 'EUR', amount_cents: 18_400, pending_cents: 18_400 },
    ]);

    await setClock('2030-01-08T00:00:00.000Z');
    requireData(await refund(second.payments[0].id));
    expect((await seller.get('balance')).balances).toEqual([
      { currency: 'EUR', amount_cents: 17_400, pending_cents: 0 },
    ]);
    expect(requireData(await payOut(seller, 100)).created_at).toBe('2030-01-08T00:00:00.000Z');
  });

  it('is paid out once per idempotency key, and not beyond its amount', async () => {
    const seller = await CommerceFixture.createIn(shop.service);
    await seller.createOrder([await seller.createApprovedProduct({ plans: [HUNDRED] })]);
    const key = { 'idempotency-key': 'january' };
    const payout = requireData(await payOut(seller, 9_000, 'EUR', key));
    expect(payout).toEqual({
      id: expect.stringMatching(/^po_[0-9a-z]{26}$/),
      object: 'payout',
      business: { object: 'business', id: seller.businessId },
      created_at: expect.any(String),
      status: 'paid',
      amount_cents: 9_000,
      currency: 'EUR',
    });
    expect(requireData(await payOut(seller, 9_000, 'EUR', key))).toEqual(payout);

    for (const [amount, currency] of [
      [701, 'EUR'],
      [1, 'USD'],
    ] as const) {
      const { status, body } = await payOut(seller, amount, currency);
      expect([status, body.code, body.errors[0].param]).toEqual([422, 'insufficient_seller_balance', 'amount_cents']);
    }
    const second = requireData(await payOut(seller, 700));
    const { data, pagination } = (await seller.list('payouts')).body;
    expect([data, pagination.total_count]).toEqual([[second, payout], 2]);
  });

  it.each([
    [{ currency: 'EUR' }, 'amount_cents'],
    [{ amount_cents: 0, currency: 'EUR' }, 'amount_cents'],
    [{ amount_cents: 1 }, 'currency'],
    [{ amount_cents: 1, currency: 'eur' }, 'currency'],
    [{ amount_cents: 1, currency: 'XXX' }, 'currency'],
    [{ amount_cents: 1, currency: 'XAU' }, 'currency'],
    [{ amount_cents: 1, currency: 'XCG' }, 'amount_cents'],
    [{ amount_cents: 1, currency: 'BGN' }, 'amount_cents'],
  ])('refuses a payout of %j', async (body, param) => {
    const answer = await shop.api.post('/v1/commerce/payouts', body);
    expect([answer.status, answer.body.errors[0].param]).toEqual([422, param]);
  });

  it('is not shared with other businesses, nor with test mode', async () => {
    const other = await CommerceFixture.createIn(shop.service, 'test');
    expect((await other.get('balance')).balances).toEqual([]);
    expect((await other.list('payouts')).body.data).toEqual([]);
  });
});
