import Stripe from 'stripe';
import { requireData } from '../../support/api.js';
import { type ResponseFault, StripeServer } from '../../support/stripe-server.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

const SECRET = 'whsec_test';
const DAY_MS = 86_400_000;

let server: StripeServer;
let live: CommerceFixture;
beforeAll(async () => {
  server = await StripeServer.start();
  const account = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: SECRET, STRIPE_API_BASE: server.url };
  live = await CommerceFixture.start(account);
});
afterAll(async () => {
  await live.service.stop();
  await server.stop();
});

/** Starts a subscription in test mode, and sets the clock to the day of its renewal. */
async function renew(fault?: ResponseFault) {
  const shop = await CommerceFixture.createIn(live.service, 'test');
  const club = await shop.createApprovedProduct({ plans: [MONTHLY] });
  const { data: order } = (await shop.checkOut((await shop.createCart([club])).id, 'pm_card_visa')).body;
  const { id } = order.line_items[0].subscription;
  const { next_billing_at: due } = await shop.get(`subscriptions/${id}`);
  if (fault !== undefined) server.failNext('POST /v1/payment_intents', fault);
  requireData(await shop.api.put('/v1/commerce/test-clock', { now: due }));
  const [renewal] = (await shop.list('payments')).body.data;
  return { shop, id: id as string, due: due as string, renewal };
}

describe('With a test key of Stripe', () => {
  it('a renewal in test mode is charged without the buyer', async () => {
    const { shop, id, due, renewal } = await renew();

    expect(renewal).toMatchObject({ kind: 'renewal', status: 'succeeded', gateway: 'stripe' });
    const sent = server.sent.find((fields) => fields['metadata[payment_id]'] === renewal.id && 'amount' in fields);
    expect(sent).toMatchObject({ off_session: 'true', amount: '4900' });
    const { status, next_billing_at: next } = await shop.get(`subscriptions/${id}`);
    expect([status, Date.parse(next) > Date.parse(due) + 27 * DAY_MS]).toEqual(['active', true]);
  });

  it('a renewal whose response is lost is charged once, and its event ends it', async () => {
    const { shop, id, due, renewal } = await renew('cut');
    expect(renewal).toMatchObject({ kind: 'renewal', status: 'pending' });
    const event = { id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', livemode: false };
    const payload = JSON.stringify({ ...event, data: { object: server.findIntent(renewal.id as string) } });
    const headers = { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET }) };
    requireData(await shop.service.createApi().sendText('POST', '/v1/gateways/stripe/events', payload, headers));

    const renewed = await shop.readUntil(`subscriptions/${id}`, ({ next_billing_at: next }) => next > due);
    expect(renewed.status).toBe('active');
    await shop.readUntil(`payments/${renewal.id}`, ({ status }) => status === 'succeeded');
    expect(server.countIntents(renewal.id as string)).toBe(1);
  });

  it('a renewal that fails after the end of its subscription leaves no open invoice', async () => {
    const { shop, id, renewal } = await renew('cut');
    server.changeIntent(renewal.id, { status: 'canceled' });
    requireData(await shop.api.post(`/v1/commerce/subscriptions/${id}/cancel`, { mode: 'immediately' }));
    const { now } = await shop.get('test-clock');
    requireData(
      await shop.api.put('/v1/commerce/test-clock', { now: new Date(Date.parse(now) + DAY_MS).toISOString() }),
    );

    expect(await shop.get(`payments/${renewal.id}`)).toMatchObject({ status: 'failed' });
    expect((await shop.list(`invoices?subscription_id=${id}`)).body.data).toMatchObject([{ status: 'void' }]);
    expect(await shop.get(`subscriptions/${id}`)).toMatchObject({ status: 'cancelled', next_billing_at: null });
  });

  it('an order does not move money, also in test mode', async () => {
    const shop = await CommerceFixture.createIn(live.service, 'test');
    const course = await shop.createApprovedProduct();
    const { data } = (await shop.checkOut((await shop.createCart([course])).id, 'pm_card_visa')).body;
    expect(data).toMatchObject({ status: 'completed', livemode: false });
  });

  it('a sale in live mode is declined', async () => {
    const course = await live.createApprovedProduct();
    const { body } = await live.checkOut((await live.createCart([course])).id, 'tok_ok');
    expect(body.errors).toMatchObject([{ code: 'live_mode_unavailable' }]);
  });
});

describe('A step of a test clock over charges that stay pending', () => {
  const START = '2030-01-31T09:00:00.000Z';
  const LATER = '2030-03-01T09:00:00.000Z';
  const PENDING = 17;

  it('runs the renewal that follows them, and asks for each of them once', async () => {
    const shop = await CommerceFixture.createIn(live.service, 'test');
    const setClock = async (now: string) => requireData(await shop.api.put('/v1/commerce/test-clock', { now }));
    await setClock(START);
    const [course, club] = [await shop.createApprovedProduct(), await shop.createApprovedProduct({ plans: [MONTHLY] })];
    const order = requireData(await shop.checkOut((await shop.createCart([club])).id, 'pm_card_visa'));
    const pending = [];
    for (let n = 0; n < PENDING; n++) {
      const cart = await shop.createCart([course]);
      pending.push(requireData(await shop.checkOut(cart.id, 'pm_card_authenticationRequired')));
    }
    expect(new Set(pending.map(({ status }) => status))).toEqual(new Set(['pending']));
    const searches = () => server.requests.filter((request) => request.includes('/search')).length;
    const before = searches();

    expect(await setClock(LATER)).toMatchObject({ now: LATER, status: 'ready' });
    const { next_billing_at: next } = await shop.get(`subscriptions/${order.line_items[0].subscription.id}`);
    expect(next).toBe('2030-03-31T09:00:00.000Z');
    expect(searches() - before).toBe(PENDING);
    for (const { id } of pending) expect((await shop.get(`orders/${id}`)).status).toBe('pending');
  });
});

describe('The livemode of an order', () => {
  it.each([
    ['with a live key of Stripe', { STRIPE_SECRET_KEY: 'sk_live_1' }, 'pm_card_visa', true],
    ['while payments are simulated', {}, 'tok_ok', false],
  ])('in live mode %s', async (_, key, token, livemode) => {
    const shop = await CommerceFixture.start({ ...key, ...(livemode && { STRIPE_API_BASE: server.url }) });
    const course = await shop.createApprovedProduct();
    const { data } = (await shop.checkOut((await shop.createCart([course])).id, token)).body;
    expect(data).toMatchObject({ status: 'completed', livemode });
    expect(await shop.get(`orders/${data.id}`)).toMatchObject({ livemode });
    await shop.service.stop();
  });
});
