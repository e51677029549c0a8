import Stripe from 'stripe';
import { paymentDecider } from '../../../src/commerce/domain/payment.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { type ApiResponse, requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { StripeServer } from '../../support/stripe-server.js';
import { CommerceFixture } from '../commerce-fixture.js';

const SECRET = 'whsec_test';
const VISA = 'pm_card_visa';

let server: StripeServer;
let shop: CommerceFixture;
let course: { id: string };
let events = 0;
beforeAll(async () => {
  server = await StripeServer.start();
  shop = await CommerceFixture.start({
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_BASE: server.url,
  });
  course = await shop.createApprovedProduct();
});
afterAll(async () => {
  await shop.service.stop();
  await server.stop();
});

async function buy(token: string): Promise<ApiResponse> {
  return shop.checkOut((await shop.createCart([course])).id, token);
}

function toEvent(type: string, object: object, more: object = {}): object {
  return { id: `evt_${++events}`, object: 'event', type, livemode: true, data: { object }, ...more };
}

async function send(event: object, secret = SECRET, sentAt = Date.now()): Promise<ApiResponse> {
  return sendText(JSON.stringify(event), secret, sentAt);
}

async function sendText(payload: string, secret = SECRET, sentAt = Date.now()): Promise<ApiResponse> {
  const timestamp = Math.floor(sentAt / 1000);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const api = shop.service.createApi();
  return api.sendText('POST', '/v1/gateways/stripe/events', payload, { 'stripe-signature': signature });
}

describe('A checkout with Stripe', () => {
  it('completes the order', async () => {
    const { status, body } = await buy('pm_card_visa');

    expect([status, body.data.status]).toEqual([201, 'completed']);
    const payment = await shop.get(`payments/${body.data.payments[0].id}`);
    expect(payment).toMatchObject({
      status: 'succeeded',
      gateway: 'stripe',
      gateway_reference: server.findIntent(payment.id).id,
      method: { type: 'card', brand: 'visa', last4: '4242' },
    });
  });

  it('is declined with the code of the card, and refuses simulated cards', async () => {
    expect(await buy('pm_card_chargeDeclinedLostCard')).toMatchObject({
      status: 402,
      body: { code: 'payment_failed', errors: [{ code: 'lost_card' }] },
    });
    expect(await buy('tok_ok')).toMatchObject({ status: 402, body: { errors: [{ code: 'payment_method_invalid' }] } });
  });

  it('is simulated in test mode, because the key is a live one', async () => {
    const test = await CommerceFixture.createIn(shop.service, 'test');
    const order = await test.createOrder([await test.createApprovedProduct()]);
    expect(await test.get(`payments/${order.payments[0].id}`)).toMatchObject({ gateway: 'simulated' });
  });

  const readEnded = (id: string) => shop.readUntil(`orders/${id}`, ({ status }) => status !== 'pending');

  it('completes a pending order when the event arrives, once', async () => {
    const order = (await buy('pm_processing')).body.data;
    const payment = order.payments[0].id as string;
    expect(order.status).toBe('pending');
    const event = toEvent('payment_intent.succeeded', server.findIntent(payment));

    for (const reply of [await send(event), await send(event)])
      expect(reply).toMatchObject({ status: 200, body: { data: { received: true } } });
    expect(await readEnded(order.id)).toMatchObject({ status: 'completed' });
    const invoices = () => shop.list(`invoices?order_id=${order.id}`);
    await eventually(invoices, ({ body }) => body.data.length === 1);
  });

  it('completes the order after a lost response, with one charge', async () => {
    server.failNext('POST /v1/payment_intents', 'cut');
    const order = (await buy('pm_card_visa')).body.data;
    expect(order.status).toBe('pending');
    const intent = server.findIntent(order.payments[0].id as string);

    expect((await send(toEvent('payment_intent.succeeded', intent))).status).toBe(200);
    expect(await readEnded(order.id)).toMatchObject({ status: 'completed' });
    expect(server.countIntents(order.payments[0].id as string)).toBe(1);
  });

  it('fails a pending order when the payment fails later', async () => {
    const order = (await buy('pm_card_authenticationRequired')).body.data;
    const failure = { code: 'expired_card', message: 'Expired.' };
    const change = { status: 'requires_payment_method', last_payment_error: failure };
    const intent = server.changeIntent(order.payments[0].id as string, change);

    expect((await send(toEvent('payment_intent.payment_failed', intent))).status).toBe(200);
    expect(await readEnded(order.id)).toMatchObject({ status: 'failed' });
    const payment = await shop.readUntil(`payments/${order.payments[0].id}`, ({ status }) => status === 'failed');
    expect(payment).toMatchObject({ failure: { code: 'expired_card' } });
  });
});

describe('A refund with Stripe', () => {
  async function refund(token: string) {
    const order = (await buy(token)).body.data;
    const paymentId = order.payments[0].id as string;
    await send(toEvent('payment_intent.succeeded', server.findIntent(paymentId)));
    const path = `/v1/commerce/payments/${paymentId}/refunds`;
    return requireData(await shop.api.post(path, { amount_cents: 1000 }));
  }

  const readSettled = (id: string) => shop.readUntil(`refunds/${id}`, ({ status }) => status !== 'pending');

  it('that is pending ends when its event arrives, in any order', async () => {
    const { id, status } = await refund('pm_processing');
    expect(status).toBe('pending');

    for (const type of ['refund.updated', 'charge.refund.updated'])
      expect((await send(toEvent(type, server.changeRefund(id, { status: 'succeeded' })))).status).toBe(200);
    expect(await readSettled(id)).toMatchObject({ status: 'succeeded' });
  });

  it('is reversed once when it fails after its success', async () => {
    const { id, status, payment } = await refund('pm_card_visa');
    expect(status).toBe('succeeded');
    const failed = server.changeRefund(id, { status: 'failed', failure_reason: 'lost_or_stolen_card' });

    for (const type of ['refund.failed', 'charge.refund.updated'])
      expect((await send(toEvent(type, failed))).status).toBe(200);
    expect(await shop.readUntil(`refunds/${id}`, ({ status }) => status === 'failed')).toMatchObject({
      failure: { code: 'lost_or_stolen_card' },
    });
    const unrefunded = await shop.readUntil(`payments/${payment.id}`, ({ refund_status }) => refund_status === 'none');
    expect(unrefunded).toMatchObject({ refunded_amount_cents: 0 });
  });

  it('is ignored when it belongs to another service', async () =>
    expect((await send(toEvent('refund.failed', { id: 're_other', metadata: {} }))).status).toBe(200));
});

describe('A dispute with Stripe', () => {
  /** A dispute as Stripe sends it. The withdrawal has its fee, and is missing until Stripe has made it. */
  function toDispute(intent: string, status: string, { isWithdrawn = true, ...change }: Record<string, unknown> = {}) {
    const withdrawal = { object: 'balance_transaction', type: 'adjustment', reporting_category: 'dispute' };
    const moved = { id: 'txn_1', ...withdrawal, amount: -2500, currency: 'eur', fee: 1500, net: -4000 };
    return {
      id: `du_${intent}`,
      object: 'dispute',
      amount: 2500,
      balance_transactions: isWithdrawn ? [moved] : [],
      charge: 'ch_1',
      created: 1_893_456_000,
      currency: 'eur',
      evidence_details: { due_by: 1_894_060_799, has_evidence: false, past_due: false, submission_count: 0 },
      is_charge_refundable: false,
      livemode: true,
      payment_intent: intent,
      reason: 'product_not_received',
      status,
      ...change,
    };
  }

  async function sell() {
    const seller = await CommerceFixture.createIn(shop.service);
    const order = await seller.checkOut((await seller.createCart([await seller.createApprovedProduct()])).id, VISA);
    const paymentId = requireData(order).payments[0].id as string;
    const intent = server.findIntent(paymentId).id;
    const report = async (type: string, status: string, change?: Record<string, unknown>) =>
      expect((await send(toEvent(`charge.dispute.${type}`, toDispute(intent, status, change)))).status).toBe(200);
    const readDisputes = async () => (await seller.list(`disputes?payment_id=${paymentId}`)).body.data;
    const readAll = (count: number) => eventually(readDisputes, ({ length }) => length === count);
    const expectBalance = (cents: number) =>
      seller.readUntil('balance', ({ balances }) => balances[0]?.amount_cents === cents);
    const listFacts = async () => {
      const history = await shop.service.get(Streams).loadHistory(paymentDecider, paymentId);
      return history.map(({ type }) => type).filter((type) => type.includes('Dispute'));
    };
    await expectBalance(2425);
    return { seller, order: requireData(order), paymentId, report, readDisputes, readAll, expectBalance, listFacts };
  }

  it('takes its amount and the fee from the balance, and gives both back when it is won', async () => {
    const { seller, order, paymentId, report, readAll, expectBalance } = await sell();

    await report('created', 'needs_response', { isWithdrawn: false });
    const [dispute] = await readAll(1);
    expect(dispute).toEqual({
      id: expect.stringMatching(/^dp_[0-9a-z]{26}$/),
      object: 'dispute',
      business: { object: 'business', id: seller.businessId },
      payment: { object: 'payment', id: paymentId },
      order: { object: 'order', id: order.id },
      amount_cents: 2500,
      currency: 'EUR',
      reason: 'product_not_received',
      status: 'open',
      evidence_due_at: '2030-01-07T23:59:59.000Z',
      created_at: expect.any(String),
      closed_at: null,
    });
    await expectBalance(-75);
    await report('funds_withdrawn', 'needs_response');
    await expectBalance(-1575);
    await report('closed', 'won');
    await expectBalance(2425);
    const isWon = ({ status }: { status: string }) => status === 'won';
    expect(await seller.readUntil(`disputes/${dispute.id}`, isWon)).toMatchObject({ closed_at: expect.any(String) });
  });

  it('that is lost keeps its money when events repeat or arrive late', async () => {
    const { report, readAll, expectBalance, listFacts } = await sell();

    await report('closed', 'lost');
    for (const type of ['created', 'updated', 'funds_withdrawn']) await report(type, 'under_review');
    await report('closed', 'lost');
    expect(await listFacts()).toEqual(['PaymentDisputed', 'DisputeFeeCharged', 'DisputeClosed']);
    expect(await readAll(1)).toMatchObject([{ status: 'lost' }]);
    await expectBalance(-1575);
  });

  it('that is won stays won when its money or its loss is reported late', async () => {
    const { report, expectBalance, listFacts } = await sell();

    await report('funds_reinstated', 'won');
    await report('created', 'needs_response');
    await report('closed', 'lost');
    expect(await listFacts()).toEqual(['PaymentDisputed', 'DisputeFeeCharged', 'DisputeClosed']);
    await expectBalance(2425);
  });

  it('begins when an inquiry is escalated, and not before', async () => {
    const { report, readDisputes, readAll, listFacts } = await sell();

    for (const [type, status] of [
      ['created', 'warning_needs_response'],
      ['updated', 'warning_under_review'],
      ['closed', 'warning_closed'],
    ] as const)
      await report(type, status, { isWithdrawn: false });
    expect([await listFacts(), await readDisputes()]).toEqual([[], []]);
    await report('updated', 'needs_response');
    expect(await readAll(1)).toMatchObject([{ status: 'open' }]);
  });

  it('has no fee that was taken in another currency', async () => {
    const { report, listFacts } = await sell();
    await report('created', 'needs_response', {
      balance_transactions: [{ amount: -2700, currency: 'usd', fee: 1600 }],
    });
    expect(await listFacts()).toEqual(['PaymentDisputed']);
  });
});

describe('An event of Stripe', () => {
  it.each([
    ['an unknown type', () => toEvent('customer.created', { id: 'cus_1' })],
    ['the other mode', () => toEvent('payment_intent.succeeded', { id: 'pi_none' }, { livemode: false })],
  ])('is ignored when it has %s', async (_, make) => expect((await send(make())).status).toBe(200));

  it('is asked for again while Stripe cannot be asked', async () => {
    const event = toEvent('payment_intent.succeeded', { id: 'pi_none' });
    expect(await send(event)).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  });

  it.each([
    'null',
    '[]',
    '{',
    '{"type":"refund.failed","livemode":true}',
    '{"type":"refund.failed","data":{"object":null}}',
  ])('is rejected when it is signed, but is no event: %s', async (payload) =>
    expect(await sendText(payload)).toMatchObject({ status: 400, body: { code: 'invalid_json' } }),
  );

  it.each([
    ['has a signature by another secret', () => send(toEvent('payment_intent.succeeded', {}), 'whsec_other')],
    ['is older than 5 minutes', () => send(toEvent('payment_intent.succeeded', {}), SECRET, Date.now() - 301_000)],
    ['has no signature', () => shop.service.createApi().post('/v1/gateways/stripe/events', {})],
    ['has no body', () => shop.service.createApi().post('/v1/gateways/stripe/events')],
  ])('is rejected when it %s', async (_, sendIt) =>
    expect(await sendIt()).toMatchObject({ status: 400, body: { code: 'invalid_signature' } }),
  );
});
