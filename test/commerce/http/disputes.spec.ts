import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { Receiver } from '../../support/receiver.js';
import { CommerceFixture } from '../commerce-fixture.js';

const HUNDRED = { kind: 'one_time', amount_cents: 10_000, currency: 'EUR' };
const [START, NEXT_DAY] = ['2030-01-31T09:00:00.000Z', '2030-02-01T09:00:00.000Z'];

describe('Disputes', () => {
  let receiver: Receiver;
  let shop: CommerceFixture;
  beforeAll(async () => {
    receiver = await Receiver.start();
    shop = await CommerceFixture.start({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
  });
  afterAll(() => Promise.all([shop.service.stop(), receiver.stop()]));

  const setClock = async (seller: CommerceFixture, now: string) =>
    requireData(await seller.api.put('/v1/commerce/test-clock', { now }));

  async function sell(seller: CommerceFixture, token: string) {
    const product = await seller.createApprovedProduct({ plans: [HUNDRED] });
    const order = requireData(await seller.checkOut((await seller.createCart([product])).id, token));
    return order.payments[0].id as string;
  }

  /** Sells for 100.00 with each token, and waits until the disputes are open. */
  async function startDisputed(...others: readonly string[]) {
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    await setClock(seller, START);
    const paymentId = await sell(seller, 'tok_disputed');
    for (const token of others) await sell(seller, token);
    expect((await seller.list('disputes')).body.data).toEqual([]);
    await setClock(seller, NEXT_DAY);
    const [dispute] = (await seller.list(`disputes?payment_id=${paymentId}`)).body.data;
    return { seller, paymentId, dispute };
  }

  const close = (seller: CommerceFixture, id: string, status: string) =>
    seller.api.put(`/v1/commerce/disputes/${id}/outcome`, { status });
  const refund = (seller: CommerceFixture, paymentId: string, body = {}) =>
    seller.api.post(`/v1/commerce/payments/${paymentId}/refunds`, body);
  const payOut = (seller: CommerceFixture, cents: number) =>
    seller.api.post('/v1/commerce/payouts', { amount_cents: cents, currency: 'EUR' });
  const readBalance = async (seller: CommerceFixture) => (await seller.get('balance')).balances[0];

  it('of the simulated gateway open a day after the sale', async () => {
    const { seller, paymentId, dispute } = await startDisputed();
    const payment = await seller.get(`payments/${paymentId}`);

    expect(dispute).toEqual({
      id: expect.stringMatching(/^dp_[0-9a-z]{26}$/),
      object: 'dispute',
      business: { object: 'business', id: seller.businessId },
      payment: { object: 'payment', id: paymentId },
      order: payment.order,
      amount_cents: 10_000,
      currency: 'EUR',
      reason: 'fraudulent',
      status: 'open',
      evidence_due_at: '2030-02-08T09:00:00.000Z',
      created_at: NEXT_DAY,
      closed_at: null,
    });
    expect(await seller.get(`disputes/${dispute.id}`)).toEqual(dispute);
    expect(payment.refundable_amount_cents).toBe(0);
  });

  it('take their amount from the balance, which can become negative, and give it back when they are won', async () => {
    const { seller, paymentId, dispute } = await startDisputed();
    expect(await readBalance(seller)).toMatchObject({ amount_cents: -300, pending_cents: 0 });

    const { status, body } = await close(seller, dispute.id, 'won');
    expect([status, body.data]).toEqual([200, { ...dispute, status: 'won', closed_at: NEXT_DAY }]);
    expect(await readBalance(seller)).toMatchObject({ amount_cents: 9_700, pending_cents: 9_700 });
    expect(await seller.get(`payments/${paymentId}`)).toMatchObject({ refundable_amount_cents: 10_000 });
    await setClock(seller, '2030-02-07T09:00:00.000Z');
    expect(await readBalance(seller)).toMatchObject({ amount_cents: 9_700, pending_cents: 0 });
  });

  it('that are lost keep their amount', async () => {
    const { seller, paymentId, dispute } = await startDisputed('tok_ok');

    requireData(await close(seller, dispute.id, 'lost'));
    expect(await readBalance(seller)).toMatchObject({ amount_cents: 9_400 });
    expect((await refund(seller, paymentId)).body.code).toBe('payment_disputed');
  });

  it('hold their money against payouts, also when a payout has taken it before', async () => {
    const { seller, dispute } = await startDisputed('tok_ok');
    expect(await payOut(seller, 9_401)).toMatchObject({ status: 422, body: { code: 'insufficient_seller_balance' } });
    requireData(await payOut(seller, 9_400));
    expect((await payOut(seller, 1)).body.code).toBe('insufficient_seller_balance');

    requireData(await close(seller, dispute.id, 'won'));
    requireData(await payOut(seller, 10_000));
    await sell(seller, 'tok_disputed');
    requireData(await payOut(seller, 9_700));
    await setClock(seller, '2030-02-02T09:00:00.000Z');
    expect(await readBalance(seller)).toMatchObject({ amount_cents: -10_000, pending_cents: 0 });
    expect((await payOut(seller, 1)).body.code).toBe('insufficient_seller_balance');
  });

  it('refuse a refund of more than they leave, until they are won', async () => {
    const { seller, paymentId, dispute } = await startDisputed('tok_ok');
    for (const body of [{}, { amount_cents: 1 }]) {
      const refused = await refund(seller, paymentId, body);
      expect(refused).toMatchObject({
        status: 422,
        body: { code: 'payment_disputed', errors: [{ param: 'amount_cents' }] },
      });
    }
    expect((await refund(seller, paymentId, { amount_cents: 10_001 })).body.code).toBe(
      'refund_amount_exceeds_refundable',
    );

    requireData(await close(seller, dispute.id, 'won'));
    expect((await refund(seller, paymentId)).status).toBe(201);
  });

  it('have one outcome', async () => {
    const { seller, dispute } = await startDisputed();
    for (const status of ['open', 'closed', null, 5])
      expect((await seller.api.put(`/v1/commerce/disputes/${dispute.id}/outcome`, { status })).body).toMatchObject({
        code: 'validation_failed',
        errors: [{ param: 'status' }],
      });

    const won = requireData(await close(seller, dispute.id, 'won'));
    expect(await close(seller, dispute.id, 'won')).toMatchObject({ status: 200, body: { data: won } });
    expect(await close(seller, dispute.id, 'lost')).toMatchObject({ status: 422, body: { code: 'dispute_closed' } });
    expect(await seller.get(`disputes/${dispute.id}`)).toEqual(won);
  });

  it('are closed by no one in live mode, nor by another business', async () => {
    const { dispute } = await startDisputed();
    expect(await close(shop, dispute.id, 'won')).toMatchObject({ status: 403, body: { code: 'permission_denied' } });
    const other = await CommerceFixture.createIn(shop.service, 'test');
    expect(await close(other, dispute.id, 'won')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('are found by status, payment, buyer and time', async () => {
    const { seller, paymentId, dispute } = await startDisputed('tok_disputed');
    const list = async (query: string) => {
      const { body } = await seller.list(`disputes?${query}`);
      return [body.data.map(({ id }: { id: string }) => id), body.pagination.total_count];
    };
    requireData(await close(seller, dispute.id, 'lost'));
    const [own, none] = [
      [[dispute.id], 1],
      [[], 0],
    ];

    for (const query of ['status=lost', `payment_id=${paymentId}`, `payment_id=${paymentId}&status=lost&status=won`])
      expect(await list(query)).toEqual(own);
    expect(await list(`payment_id=${paymentId}&status=open`)).toEqual(none);
    expect((await list('buyer_email=ada@example.com&created_from=2030-02-01&created_to=2030-02-01'))[1]).toBe(2);
    expect(await list('created_from=2030-02-02')).toEqual(none);
    expect((await seller.list('disputes?status=closed')).body.code).toBe('invalid_parameter');
  });

  it('are published when they open and when they close, as the API answers them', async () => {
    const path = '/disputes';
    const seller = await CommerceFixture.createIn(shop.service, 'test');
    const endpoint = { url: receiver.url(path), event_types: ['dispute.opened', 'dispute.closed'] };
    requireData(await seller.api.post('/v1/webhooks/endpoints', endpoint));
    await setClock(seller, START);
    await sell(seller, 'tok_disputed');
    await setClock(seller, NEXT_DAY);
    const [opened] = (await seller.list('disputes')).body.data;
    const closed = requireData(await close(seller, opened.id, 'lost'));

    const bodies = () => receiver.requestsFor(path).map(({ body }) => JSON.parse(body.toString()));
    const received = await eventually(
      async () => bodies(),
      ({ length }) => length === 2,
    );
    expect(received.map(({ type, data }) => [type, data]).sort()).toEqual([
      ['dispute.closed', closed],
      ['dispute.opened', opened],
    ]);
  });

  it('are part of what is held of their buyer', async () => {
    const { seller, dispute } = await startDisputed();
    const [buyer] = (await seller.list('buyers')).body.data;
    expect((await seller.get(`buyers/${buyer.id}/personal-data`)).disputes).toEqual([dispute]);
  });
});
