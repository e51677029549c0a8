import { testClockDecider } from '../../../src/commerce/domain/test-clock.js';
import { AdvanceTestClocks } from '../../../src/commerce/processes/timers/advance-test-clocks.js';
import { Streams } from '../../../src/engine/streams/streams.js';
import { Checkpoints } from '../../../src/kernel/checkpoints.js';
import { DAY_MS } from '../../../src/kernel/clock.js';
import { EventStore } from '../../../src/kernel/event-store.js';
import { Jobs } from '../../../src/kernel/jobs.js';
import { eventually } from '../../support/eventually.js';
import { createContext } from '../../support/jar.js';
import { Receiver } from '../../support/receiver.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

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
    const ready = { object: 'test_clock', target: null, status: 'ready' };
    expect(clock).toEqual({ ...ready, now: expect.any(String), frozen: false });
    expect(clock.now >= before).toBe(true);

    const { status, body } = await setClock(seller, '2030-01-31T10:00:00+01:00');
    expect([status, body.data]).toEqual([200, { ...ready, now: START, frozen: true }]);
    expect(await seller.get('test-clock')).toEqual(body.data);
  });

  it.each(['2020-01-01', '2030-01-31T08:59:59.999Z'])('refuses to move back to %s', async (earlier) => {
    const seller = await startTestShop();
    if (earlier.startsWith('2030')) await setClock(seller, START);
    const { status, body } = await setClock(seller, earlier);
    expect([status, body.code, body.errors[0].param]).toEqual([422, 'clock_moves_forward_only', 'now']);
  });

  it.each(['9999-06-01T00:00:00Z', '2200-01-01'])('refuses to be set as far as %s', async (far) => {
    const seller = await startTestShop();
    const { status, body } = await setClock(seller, far);
    expect([status, body.code, body.errors[0].param]).toEqual([422, 'test_clock_too_far', 'now']);
    expect(body.errors[0].detail).toMatch(/allowed is 21\d\d-\d\d-\d\dT/);
    expect((await seller.get('test-clock')).frozen).toBe(false);
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

  it('settles more payments than it runs at a time, all due at once', async () => {
    const seller = await startTestShop();
    await setClock(seller, START);
    const course = await seller.createApprovedProduct({ plans: [ONCE] });
    for (let n = 0; n < 17; n++) await seller.checkOut((await seller.createCart([course])).id, 'tok_pending');
    await setClock(seller, after(1));
    const orders = (await seller.list('orders')).body;
    expect(orders.pagination.total_count).toBe(17);
    const completed = orders.data.map(({ completed_at: at }: { completed_at: string }) => at);
    expect(new Set(completed)).toEqual(new Set(['2030-01-31T10:00:00.000Z']));
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

    expect(answers.filter(({ status }) => status === 200)).not.toEqual([]);
    for (const { status } of answers) expect([200, 409, 422]).toContain(status);
    await setClock(seller, after(40));
    const payments = (await seller.list('payments')).body.data;
    expect(payments).toHaveLength(5);
    for (const payment of payments) expect(payment.cash_flow_at).toBe('2030-02-07T10:00:00.000Z');
    const invoices = (await seller.list('invoices')).body.data;
    expect(invoices.map(({ number }: { number: string }) => number).sort()).toEqual(
      orders.map((_, n) => `2030-00000${n + 1}`),
    );
  });

  it('runs what is due by a job after a crash that interrupted the request', async () => {
    const seller = await startTestShop();
    const { id } = (await sellAt(seller, START)).payments[0];
    const { businessId } = seller;
    const context = { ...createContext('crash'), business: businessId };
    // Records the new time as the request does, without the next steps.
    const command = { type: 'SetTestClock', businessId, now: after(30), latest: after(30) } as const;
    await shop.service.get(Streams).execute(testClockDecider, businessId, command, context);

    await seller.readUntil('test-clock', ({ status }) => status === 'ready');
    expect((await seller.get(`payments/${id}`)).cash_flow_at).toBe(after(7));
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

describe('A test clock whose step takes longer than a request', () => {
  const DAILY = { ...MONTHLY, interval: 'day' };
  let timers: AdvanceTestClocks;
  beforeEach(() => {
    timers = shop.service.get(AdvanceTestClocks);
    timers.requestMs = 0;
  });
  afterEach(() => {
    timers.requestMs = 9_000;
  });

  async function startSeller() {
    const seller = await startTestShop();
    await setClock(seller, START);
    await seller.createOrder([await seller.createApprovedProduct({ plans: [DAILY] })]);
    return seller;
  }

  it('answers 202 with its target and how far it has come, and is ready later', async () => {
    const seller = await startSeller();
    const { status, body } = await setClock(seller, after(20));
    expect([status, body.data]).toEqual([
      202,
      { object: 'test_clock', now: expect.any(String), target: after(20), frozen: true, status: 'advancing' },
    ]);
    expect(body.data.now >= START && body.data.now < after(20)).toBe(true);

    const ready = await seller.readUntil('test-clock', ({ status }) => status === 'ready');
    expect(ready).toMatchObject({ now: after(20), target: null });
    const payments = (await seller.list('payments')).body;
    expect(payments.pagination.total_count).toBe(21);
    expect(payments.data.map(({ created_at: at }: { created_at: string }) => at)).toEqual(
      Array.from({ length: 21 }, (_, n) => after(20 - n)),
    );
  });

  it('refuses another time until it is ready', async () => {
    const seller = await startSeller();
    await setClock(seller, after(20));
    for (const now of [after(20), after(30), START])
      expect(await setClock(seller, now)).toMatchObject({
        status: 409,
        body: { code: 'test_clock_advancing', errors: [{ param: 'now' }] },
      });
    await seller.readUntil('test-clock', ({ status }) => status === 'ready');
    timers.requestMs = 9_000;
    expect((await setClock(seller, after(21))).status).toBe(200);
  });

  it('answers 200 when nothing is due', async () => {
    const seller = await startTestShop();
    expect((await setClock(seller, after(20))).status).toBe(200);
  });
});

describe('A timer that a request starts', () => {
  const WEEKLY = { ...MONTHLY, interval: 'week' };

  /** Waits until the job has run that each step of a clock starts: it would also run the timers of later requests. */
  async function waitForJob({ businessId }: CommerceFixture) {
    const [head, { name, queue }] = [
      await shop.service.get(EventStore).readHead(),
      shop.service.get(AdvanceTestClocks),
    ];
    await eventually(
      () => shop.service.get(Checkpoints).readCheckpoint(`reactor:${name}`),
      (position) => position >= head,
    );
    await eventually(
      () => shop.service.get(Jobs).list({ queue: queue.name, limit: 1_000 }),
      (jobs) => !jobs.some(({ key }) => key.includes(businessId)),
    );
  }

  /** Pays an unpaid week at this day, so that the next week is due from the fourteenth day on. */
  async function payLate(days: number) {
    const seller = await startTestShop();
    await setClock(seller, START);
    const { id } = await seller.createCart([await seller.createApprovedProduct({ plans: [WEEKLY] })]);
    const order = (await seller.checkOut(id, 'tok_fail_on_renewal')).body.data;
    const path = `subscriptions/${order.line_items[0].subscription.id}`;
    await setClock(seller, after(days));
    expect(await seller.get(path)).toMatchObject({ status: 'past_due' });
    await waitForJob(seller);
    await seller.api.put(`/v1/commerce/${path}/payment-method`, { token: 'tok_ok' });
    return { seller, path };
  }

  it.each([
    ['exactly at the time of the clock', 14],
    ['before the time of the clock', 15],
  ])('runs by itself when it is due %s', async (_, days) => {
    const { seller, path } = await payLate(days);
    const renewed = await seller.readUntil(path, ({ next_billing_at: next }) => next === after(21));
    expect(renewed).toMatchObject({ status: 'active' });
    const payments = (await seller.list('payments')).body.data as { status: string }[];
    expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(3);
  });

  it('waits for the clock when it is due a millisecond later', async () => {
    const { seller, path } = await payLate(14 - 1 / DAY_MS);
    expect(await seller.get(path)).toMatchObject({ status: 'active', next_billing_at: after(14) });
    await setClock(seller, after(14));
    expect(await seller.get(path)).toMatchObject({ status: 'active', next_billing_at: after(21) });
  });
});

describe('A step of a test clock by which a subscription renews', () => {
  const DAILY = { ...MONTHLY, interval: 'day' };

  it('more than 1,000 times is refused, and names the latest time', async () => {
    const seller = await startTestShop();
    await setClock(seller, START);
    for (const plan of [MONTHLY, DAILY])
      await seller.createOrder([await seller.createApprovedProduct({ plans: [plan] })]);
    const latest = new Date(Date.parse(after(1_001)) - 1).toISOString();

    for (const now of [after(1_001), after(20_000)]) {
      const { status, body } = await setClock(seller, now);
      expect([status, body.code, body.errors[0].param]).toEqual([422, 'test_clock_too_far', 'now']);
      expect(body.errors[0].detail).toContain(latest);
    }
    expect(await seller.get('test-clock')).toMatchObject({ now: START, status: 'ready' });
  });

  it('not so often is taken, however far it is', async () => {
    const seller = await startTestShop();
    await setClock(seller, START);
    await seller.createOrder([await seller.createApprovedProduct({ plans: [{ ...MONTHLY, interval: 'year' }] })]);
    // The step goes on in the background when it takes longer than 10 seconds.
    expect([200, 202]).toContain((await setClock(seller, '2100-01-31T09:00:00.000Z')).status);
    await seller.readUntil('test-clock', ({ status }) => status === 'ready');
    expect((await seller.list('payments')).body.pagination.total_count).toBe(71);
  });

  it('counts from the end of a pause, and by the interval that a pending change brings', async () => {
    const seller = await startTestShop();
    await setClock(seller, START);
    const product = await seller.createApprovedProduct({ plans: [MONTHLY, DAILY] });
    const { id } = await seller.createCart();
    const [monthly, daily] = product.plans;
    await seller.addLine(id, { product_id: product.id, plan_id: monthly.id });
    const order = (await seller.checkOut(id)).body.data;
    const path = `/v1/commerce/subscriptions/${order.line_items[0].subscription.id}`;
    expect((await seller.api.post(`${path}/plan`, { plan_id: daily.id })).status).toBe(200);
    const { body } = await setClock(seller, after(5_000));
    const due = Date.parse('2030-02-28T09:00:00.000Z');
    expect(body.errors[0].detail).toContain(new Date(due + 1_000 * DAY_MS - 1).toISOString());

    expect((await seller.api.post(`${path}/pause`, { resumes_at: after(2_000) })).status).toBe(200);
    const later = await setClock(seller, after(5_000));
    expect(later.body.errors[0].detail).toContain(new Date(Date.parse(after(3_000)) - 1).toISOString());
  });
});
