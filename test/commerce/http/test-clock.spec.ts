import { testClockDecider } from '../../../src/commerce/domain/test-clock.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { DAY_MS } from '../../../src/kernel/clock.js';
import { eventually } from '../../support/eventually.js';
import { createContext } from '../../support/jar.js';
import { Receiver } from '../../support/receiver.js';
import { CommerceFixture, ONCE } from '../commerce-fixture.js';

const START = '2030-01-31T09:00:00.000Z';
const after = (days: number) => new Date(Date.parse(START) + days * DAY_MS).toISOString();

let shop: CommerceFixture;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
  shop = await CommerceFixture.start({ WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' });
});
afterAll(() => Promise.all([shop.service.stop(), receiver.stop()]));

const startTestShop = () => CommerceFixture.createIn(shop.service, 'test');
const setClock = ({ api }: CommerceFixture, now: string) => api.put('/v1/commerce/test-clock', { now });

/** Creates an order at this time of the clock. */
async function sellAt(seller: CommerceFixture, now: string, token = 'tok_ok') {
  await setClock(seller, now);
  const course = await seller.createApprovedProduct({ plans: [ONCE] });
  return (await seller.checkOut((await seller.createCart([course])).id, token)).body.data;
}

describe('The test clock', () => {
  it('shows real time until it is set, and is frozen from then on', async () => {
    const seller = await startTestShop();
    const before = new Date().toISOString();
    const clock = await seller.get('test-clock');
    expect(clock).toEqual({ object: 'test_clock', now: expect.any(String), frozen: false });
    expect(clock.now >= before).toBe(true);

    const { status, body } = await setClock(seller, '2030-01-31T10:00:00+01:00');
    expect([status, body.data]).toEqual([200, { object: 'test_clock', now: START, frozen: true }]);
    expect(await seller.get('test-clock')).toEqual(body.data);
  });

  it.each(['2020-01-01', '2030-01-31T08:59:59.999Z'])('refuses to move back to %s', async (earlier) => {
    const seller = await startTestShop();
    if (earlier.startsWith('2030')) await setClock(seller, START);
    const { status, body } = await setClock(seller, earlier);
    expect([status, body.code, body.errors[0].param]).toEqual([422, 'clock_moves_forward_only', 'now']);
  });

  it('is refused in live mode', async () => {
    for (const answer of [await setClock(shop, START), await shop.list('test-clock')])
      expect([answer.status, answer.body.code]).toEqual([403, 'permission_denied']);
  });

  it.each([{}, { now: 'tomorrow' }, { now: null }, { now: START, by: 1 }])('refuses the body %j', async (body) => {
    const seller = await startTestShop();
    expect((await seller.api.put('/v1/commerce/test-clock', body)).status).toBe(422);
  });
});

describe('A business with a test clock', () => {
  it('sells at the time of its clock, while live mode and other businesses sell in real time', async () => {
    const [seller, other] = [await startTestShop(), await startTestShop()];
    const order = await sellAt(seller, START);
    expect(order).toMatchObject({ created_at: START, completed_at: START });
    expect(await seller.get(`invoices/${order.invoice.id}`)).toMatchObject({ number: '2030-000001', issued_at: START });

    for (const business of [other, shop]) {
      const sold = await business.createOrder([await business.createApprovedProduct()]);
      expect(sold.created_at < '2030').toBe(true);
    }
  });

  it('gets the funds of a sale when its clock is set past the seventh day', async () => {
    const seller = await startTestShop();
    const { id } = (await sellAt(seller, START)).payments[0];
    await setClock(seller, after(6));
    expect(await seller.get(`payments/${id}`)).toMatchObject({ cash_flow_at: null });

    await setClock(seller, after(30));
    expect(await seller.get(`payments/${id}`)).toMatchObject({ created_at: START, cash_flow_at: after(7) });
    const listed = async (query: string) => (await seller.list(`payments?${query}`)).body.pagination.total_count;
    expect(await listed(`cash_flow_from=${after(7)}&cash_flow_to=${after(7)}`)).toBe(1);
    expect(await listed('created_from=2030-01-31&created_to=2030-01-31')).toBe(1);
    expect(await listed('created_to=2029-12-31')).toBe(0);
  });

  it('settles a pending payment after an hour, and completes its order at that time', async () => {
    const seller = await startTestShop();
    const pending = await sellAt(seller, START, 'tok_pending');
    expect(pending.status).toBe('pending');

    await setClock(seller, after(1));
    const completedAt = '2030-01-31T10:00:00.000Z';
    expect(await seller.get(`orders/${pending.id}`)).toMatchObject({ status: 'completed', completed_at: completedAt });
    // The funds of a sale that another timer has completed.
    await setClock(seller, after(8));
    expect(await seller.get(`payments/${pending.payments[0].id}`)).toMatchObject({
      cash_flow_at: '2030-02-07T10:00:00.000Z',
    });
  });

  it('runs timers in the order of their due times, also those that other timers start', async () => {
    const seller = await startTestShop();
    const first = await sellAt(seller, START, 'tok_pending');
    const second = await sellAt(seller, after(0.01), 'tok_timeout');
    await setClock(seller, after(60));

    const invoices = (await seller.list('invoices')).body.data;
    expect(invoices.map(({ number, order }: { number: string; order: { id: string } }) => [number, order.id])).toEqual([
      ['2030-000002', first.id],
      ['2030-000001', second.id],
    ]);
    const payments = (await seller.list('payments')).body.data;
    expect(payments.map((payment: { cash_flow_at: string }) => payment.cash_flow_at !== null)).toEqual([true, true]);
  });

  it('has a cart that expires', async () => {
    const seller = await startTestShop();
    await setClock(seller, START);
    const cart = await seller.createCart([await seller.createApprovedProduct()]);
    expect(cart.expires_at).toBe(after(7));

    await setClock(seller, after(8));
    expect((await seller.get(`carts/${cart.id}`)).status).toBe('expired');
    expect((await seller.checkOut(cart.id)).body.code).toBe('cart_not_open');
  });

  it('gives one result to requests at the same time', async () => {
    const seller = await startTestShop();
    const orders = [];
    for (let n = 0; n < 5; n++) orders.push(await sellAt(seller, START, 'tok_pending'));
    const answers = await Promise.all([20, 20, 40, 30].map((days) => setClock(seller, after(days))));

    expect(new Set(answers.map(({ status }) => status))).toContain(200);
    await setClock(seller, after(40));
    const payments = (await seller.list('payments')).body.data;
    expect(payments).toHaveLength(5);
    for (const payment of payments) expect(payment.cash_flow_at).toBe('2030-02-07T10:00:00.000Z');
    const invoices = (await seller.list('invoices')).body.data;
    expect(invoices.map(({ number }: { number: string }) => number).sort()).toEqual(
      orders.map((_, n) => `2030-00000${n + 1}`),
    );
  });

  describe('after a crash that interrupted the request', () => {
    /** Records the new time as the request does, without the next steps. */
    async function crashAfterSetting({ businessId }: CommerceFixture, now: string): Promise<void> {
      const context = { ...createContext(now), business: businessId };
      const command = { type: 'SetTestClock', businessId, now } as const;
      await shop.service.get(Streams).execute(testClockDecider, businessId, command, context);
    }

    it('runs what is due at the same request again', async () => {
      const seller = await startTestShop();
      const { id } = (await sellAt(seller, START)).payments[0];
      await crashAfterSetting(seller, after(30));

      expect((await setClock(seller, after(30))).status).toBe(200);
      expect((await seller.get(`payments/${id}`)).cash_flow_at).toBe(after(7));
    });

    it('runs what is due by a job', async () => {
      const seller = await startTestShop();
      const { id } = (await sellAt(seller, START)).payments[0];
      await crashAfterSetting(seller, after(30));

      const readCashFlow = async () => (await seller.get(`payments/${id}`)).cash_flow_at;
      expect(await eventually(readCashFlow, (cashFlowAt) => cashFlowAt !== null)).toBe(after(7));
    });
  });

  it('publishes events with the real time', async () => {
    const seller = await startTestShop();
    const before = new Date().toISOString();
    const endpoint = { url: receiver.url('/clock'), event_types: ['payment.sale.succeeded'] };
    await seller.api.post('/v1/webhooks/endpoints', endpoint);
    const { payments } = await sellAt(seller, START);

    const [delivered] = await receiver.waitForRequests('/clock');
    const event = JSON.parse(delivered!.body);
    expect(event.data).toMatchObject({ id: payments[0].id, created_at: START });
    expect(event.occurred_at >= before && event.occurred_at < '2030').toBe(true);
  });
});
