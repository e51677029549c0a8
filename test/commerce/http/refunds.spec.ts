import { type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

const HUNDRED = { kind: 'one_time', amount_cents: 10_000, currency: 'EUR' };

describe('Refunds', () => {
  let shop: CommerceFixture;
  let product: { id: string };
  beforeAll(async () => {
    shop = await CommerceFixture.start();
    product = await shop.createApprovedProduct({ plans: [HUNDRED] });
  });
  afterAll(() => shop.service.stop());

  /** Sells a product for 100.00 and returns its payment. */
  async function sell(token = 'tok_ok', seller = shop, sold = product) {
    const order = requireData(await seller.checkOut((await seller.createCart([sold])).id, token));
    return seller.get(`payments/${order.payments[0].id}`);
  }

  async function createSeller() {
    const seller = await CommerceFixture.createIn(shop.service);
    return { seller, sold: await seller.createApprovedProduct({ plans: [HUNDRED] }) };
  }

  function refund(paymentId: string, body: object = {}, key?: string, seller = shop): Promise<ApiResponse> {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    return seller.api.post(`/v1/commerce/payments/${paymentId}/refunds`, body, headers);
  }

  it('returns a part, then all that remains, to the buyer', async () => {
    const payment = await sell();
    const details = { amount_cents: 4_000, currency: 'EUR', reason: 'duplicate', note: 'Paid twice.' };
    const part = await refund(payment.id, details);
    expect([part.status, part.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^ref_[0-9a-z]{26}$/),
        object: 'refund',
        business: { object: 'business', id: shop.businessId },
        created_at: expect.any(String),
        status: 'succeeded',
        payment: { object: 'payment', id: payment.id },
        order: payment.order,
        subscription: null,
        ...details,
        failure: null,
        processed_at: expect.any(String),
      },
    ]);
    expect(await shop.get(`payments/${payment.id}`)).toMatchObject({
      refunded_amount_cents: 4_000,
      refundable_amount_cents: 6_000,
      refund_status: 'partial',
    });
    expect(await shop.get(`orders/${payment.order.id}`)).toMatchObject({
      refunded_amount_cents: 4_000,
      refund_status: 'partial',
      status: 'completed',
    });

    const rest = requireData(await refund(payment.id));
    expect(rest).toMatchObject({ amount_cents: 6_000, reason: null, note: null });
    expect(await shop.get(`refunds/${rest.id}`)).toEqual(rest);
    expect(await shop.get(`payments/${payment.id}`)).toMatchObject({
      refunded_amount_cents: 10_000,
      refundable_amount_cents: 0,
      refund_status: 'full',
    });
    expect(await shop.get(`orders/${payment.order.id}`)).toMatchObject({ refund_status: 'full' });
    expect(await shop.get(`invoices/${payment.invoice.id}`)).toMatchObject({
      status: 'paid',
      paid_amount_cents: 10_000,
      refunded_amount_cents: 10_000,
    });
  });

  it('of a renewal counts in its order, which lists the payment', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const setClock = async (now: string) => requireData(await seller.api.put('/v1/commerce/test-clock', { now }));
    await setClock('2030-01-31T09:00:00.000Z');
    const { id } = await seller.createOrder([await seller.createApprovedProduct({ plans: [MONTHLY] })]);
    await setClock('2030-02-28T09:00:00.000Z');
    const [renewal, initial] = requireData(await seller.list('payments'));
    expect((await seller.get(`orders/${id}`)).payments.map((payment: { id: string }) => payment.id)).toEqual([
      initial.id,
      renewal.id,
    ]);

    requireData(await refund(renewal.id, {}, undefined, seller));
    const half = { refunded_amount_cents: 4_900, refund_status: 'partial' };
    expect(await seller.get(`orders/${id}`)).toMatchObject(half);
    requireData(await refund(initial.id, {}, undefined, seller));
    const full = { refunded_amount_cents: 9_800, refund_status: 'full' };
    expect(await seller.get(`orders/${id}`)).toMatchObject(full);
    await setClock('2030-03-31T09:00:00.000Z');
    expect(await seller.get(`orders/${id}`)).toMatchObject({ ...full, refund_status: 'partial' });
  });

  it('accepts one of two simultaneous refunds of 60.00 of 100.00', async () => {
    const payment = await sell();
    const answers = await Promise.all([1, 2].map(() => refund(payment.id, { amount_cents: 6_000 })));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    const { code, errors } = answers.find(({ status }) => status === 422)!.body;
    expect([code, errors[0]]).toEqual([
      'refund_amount_exceeds_refundable',
      expect.objectContaining({ param: 'amount_cents', detail: expect.stringContaining('4000') }),
    ]);
  });

  it('returns no more than the payment with 50 refunds at once', async () => {
    const payment = await sell();
    const answers = await Promise.all(Array.from({ length: 50 }, () => refund(payment.id, { amount_cents: 900 })));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(11);
    expect(answers.filter(({ body }) => body.code === 'refund_amount_exceeds_refundable')).toHaveLength(39);
    expect(await shop.get(`payments/${payment.id}`)).toMatchObject({
      refunded_amount_cents: 9_900,
      refundable_amount_cents: 100,
    });
  });

  describe('of a seller with a low balance', () => {
    it('are refused, and accepted under the same key after the next sale', async () => {
      const { seller, sold } = await createSeller();
      const payment = await sell('tok_ok', seller, sold);
      requireData(await seller.api.post('/v1/commerce/payouts', { amount_cents: 9_000, currency: 'EUR' }));
      // 97.00 - 90.00 are left, and the fee of 3.00 does not count.
      const refused = await refund(payment.id, { amount_cents: 1_001 }, 'top-up', seller);
      expect([refused.status, refused.body.code]).toEqual([422, 'insufficient_seller_balance']);
      expect((await seller.list('refunds')).body.data).toEqual([]);
      expect(await seller.get(`payments/${payment.id}`)).toMatchObject({
        refund_status: 'none',
        refundable_amount_cents: 10_000,
      });

      await sell('tok_ok', seller, sold);
      const accepted = await refund(payment.id, { amount_cents: 1_001 }, 'top-up', seller);
      expect([accepted.status, accepted.body.data.status]).toEqual([201, 'succeeded']);
      const repeated = await refund(payment.id, { amount_cents: 1_001 }, 'top-up', seller);
      expect(repeated.body).toEqual(accepted.body);
      expect((await seller.list('refunds')).body.pagination.total_count).toBe(1);
    });

    it('can return the fees, so that the balance is below zero', async () => {
      const { seller, sold } = await createSeller();
      const payment = await sell('tok_ok', seller, sold);
      requireData(await refund(payment.id, {}, undefined, seller));

      expect(await seller.get('balance')).toEqual({
        object: 'balance',
        balances: [{ currency: 'EUR', amount_cents: -300, pending_cents: 0 }],
      });
    });
  });

  it('frees the amount and the balance when the gateway declines', async () => {
    const { seller, sold } = await createSeller();
    const payment = await sell('tok_refund_declined', seller, sold);
    for (const key of ['first', 'second']) {
      const { status, body } = await refund(payment.id, {}, key, seller);
      expect([status, body.code, body.detail]).toEqual([422, 'refund_declined', expect.stringContaining('declined')]);
    }

    const { data } = (await seller.list('refunds?status=failed')).body;
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({ status: 'failed', failure: { code: 'refund_declined' } });
    expect(await seller.get(`payments/${payment.id}`)).toMatchObject({
      refund_status: 'none',
      refundable_amount_cents: 10_000,
    });
    expect((await seller.get('balance')).balances).toEqual([
      { currency: 'EUR', amount_cents: 9_700, pending_cents: 9_700 },
    ]);
  });

  it('are pending until the gateway has a result, which a test clock brings', async () => {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const setClock = (now: string) => seller.api.put('/v1/commerce/test-clock', { now });
    await setClock('2030-01-01T00:00:00.000Z');
    const sold = await seller.createApprovedProduct({ plans: [HUNDRED] });
    const order = requireData(await seller.checkOut((await seller.createCart([sold])).id, 'tok_pending'));
    await setClock('2030-01-01T01:00:00.000Z');
    const [payment] = (await seller.get(`orders/${order.id}`)).payments;
    const pending = requireData(await refund(payment.id, { amount_cents: 6_000 }, undefined, seller));
    expect(pending).toMatchObject({
      status: 'pending',
      created_at: '2030-01-01T01:00:00.000Z',
      processed_at: null,
    });
    const unpaid = { refunded_amount_cents: 0, refund_status: 'none' };
    expect(await seller.get(`payments/${payment.id}`)).toMatchObject({ ...unpaid, refundable_amount_cents: 4_000 });
    const excess = await refund(payment.id, { amount_cents: 4_001 }, undefined, seller);
    expect([excess.body.code, excess.body.detail]).toEqual([
      'refund_amount_exceeds_refundable',
      expect.stringContaining('4000'),
    ]);
    requireData(await refund(payment.id, { amount_cents: 4_000 }, undefined, seller));
    expect(await seller.get(`payments/${payment.id}`)).toMatchObject({ ...unpaid, refundable_amount_cents: 0 });
    expect((await refund(payment.id, {}, undefined, seller)).body.code).toBe('payment_already_refunded');

    await setClock('2030-01-01T02:00:00.000Z');
    expect(await seller.get(`refunds/${pending.id}`)).toMatchObject({
      status: 'succeeded',
      processed_at: '2030-01-01T02:00:00.000Z',
    });
    expect(await seller.get(`payments/${payment.id}`)).toMatchObject({ refund_status: 'full' });
  });

  it('are published when they succeed and when they fail, as the API shows them', async () => {
    const { seller, sold } = await createSeller();
    for (const token of ['tok_ok', 'tok_refund_declined'])
      await refund((await sell(token, seller, sold)).id, {}, undefined, seller);
    const query = 'event_type=payment.refund.succeeded&event_type=payment.refund.failed';
    const published = await eventually(
      async () => requireData(await seller.api.get(`/v1/webhooks/events?${query}`)),
      ({ length }) => length === 2,
    );

    const { data } = (await seller.list('refunds')).body;
    expect(published.map((event: { type: string; data: object }) => [event.type, event.data])).toEqual([
      ['payment.refund.failed', data[0]],
      ['payment.refund.succeeded', data[1]],
    ]);
  });

  describe('with invalid requests', () => {
    let paid: { id: string };
    let failed: { id: string };
    beforeAll(async () => {
      paid = await sell();
      requireData(await refund(paid.id, { amount_cents: 1_000 }));
      expect((await shop.checkOut((await shop.createCart([product])).id, 'tok_declined')).status).toBe(402);
      failed = (await shop.list('payments')).body.data.find(({ status }: { status: string }) => status === 'failed');
    });

    it.each<[string, object, string, string]>([
      ['more than remains', { amount_cents: 9_001 }, 'refund_amount_exceeds_refundable', 'amount_cents'],
      [
        'more than remains before another currency',
        { amount_cents: 9_001, currency: 'USD' },
        'refund_amount_exceeds_refundable',
        'amount_cents',
      ],
      ['another currency', { currency: 'USD' }, 'currency_mismatch', 'currency'],
      ['no amount', { amount_cents: 0 }, 'validation_failed', 'amount_cents'],
      ['an unknown reason', { reason: 'regret' }, 'validation_failed', 'reason'],
      ['a long note', { note: 'a'.repeat(501) }, 'validation_failed', 'note'],
      ['an unknown field', { payment: 'pay_1' }, 'unknown_parameter', 'payment'],
    ])('are rejected for %s', async (_, body, code, param) => {
      const answer = await refund(paid.id, body);
      expect([answer.status, answer.body.code, answer.body.errors[0].param]).toEqual([422, code, param]);
    });

    it('are rejected for a payment that failed', async () =>
      expect((await refund(failed.id, { currency: 'USD' })).body.code).toBe('payment_not_refundable'));

    it('are rejected for a payment that is refunded already', async () => {
      const payment = await sell();
      requireData(await refund(payment.id));
      expect((await refund(payment.id, { currency: 'USD' })).body.code).toBe('payment_already_refunded');
    });

    it('are rejected for a payment of another business as for an unknown one', async () => {
      const other = await CommerceFixture.createIn(shop.service);
      expect((await refund(paid.id, {}, undefined, other)).status).toBe(404);
      expect((await refund('pay_1')).status).toBe(404);
    });
  });

  describe('list', () => {
    let seller: CommerceFixture;
    let payments: { id: string; order: { id: string } }[];
    beforeAll(async () => {
      const made = await createSeller();
      seller = made.seller;
      payments = [
        await sell('tok_ok', seller, made.sold),
        await sell('tok_ok', seller, made.sold),
        await sell('tok_refund_declined', seller, made.sold),
      ];
      for (const { id } of payments) await refund(id, { amount_cents: 100 }, undefined, seller);
    });

    it.each<[string, number[]]>([
      ['', [2, 1, 0]],
      ['status=succeeded', [1, 0]],
      ['status=failed&status=pending', [2]],
      ['buyer_email=ADA@example.com', [2, 1, 0]],
      ['buyer_email=bob@example.com', []],
      ['created_from=2020-01-01&per_page=1', [2]],
      ['created_to=2020-01-01', []],
    ])('those that match "%s"', async (query, expected) => {
      const { data } = (await seller.list(`refunds?${query}`)).body;
      expect(data.map(({ payment }: { payment: { id: string } }) => payment.id)).toEqual(
        expected.map((i) => payments[i]!.id),
      );
    });

    it('those of a payment or an order', async () => {
      for (const query of [`payment_id=${payments[0]!.id}`, `order_id=${payments[0]!.order.id}`]) {
        const { data, pagination } = (await seller.list(`refunds?${query}`)).body;
        expect([data[0].payment.id, pagination.total_count]).toEqual([payments[0]!.id, 1]);
      }
    });
  });
});
