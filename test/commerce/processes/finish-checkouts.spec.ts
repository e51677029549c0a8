import { order } from '../../../src/commerce/domain/order.js';
import { settled } from '../../support/clock.js';
import { after as later, type Fault } from '../../support/memory/faulty-event-store.js';
import { contextOf } from '../../support/jar.js';
import { jobOf, Till } from '../till.js';

const COMPLETED = [
  'InvoiceIssued',
  'InvoiceNumberAssigned',
  'InvoicePaid',
  'OrderCompleted',
  'OrderPlaced',
  'PaymentStarted',
  'PaymentSucceeded',
  'SaleCredited',
  'SubscriptionStarted',
];
const DECLINED = ['CartReopened', 'OrderFailed', 'OrderPlaced', 'PaymentFailed', 'PaymentStarted'];
const APPENDS_OF_A_CHECKOUT = 8;

const before: Fault = async () => {
  throw new Error('crash');
};
const after: Fault = async (write) => {
  await write();
  throw new Error('crash');
};
const none: Fault = (write) => write();

const crashes = [before, after].flatMap((fault) =>
  Array.from({ length: APPENDS_OF_A_CHECKOUT }, (_, n) => [fault === before ? 'before' : 'after', n + 1, fault] as const),
);

describe('A checkout that a crash interrupted', () => {
  it.each(crashes)('is finished without repeated events after a crash %s append %i', async (_, nth, fault) => {
    const till = new Till();
    const sale = await till.checkedOut();
    till.store.faults.push(...Array<Fault>(nth - 1).fill(none), fault);
    await till
      .process()
      .checkout.run(sale, contextOf('checkout ord_1'))
      .catch(() => undefined);
    till.store.faults.length = 0;

    await till.process().finish.run(jobOf(sale));
    await till.process().finish.run(jobOf(sale));

    expect(till.recorded).toEqual(COMPLETED);
    expect(new Set(till.gateway.charged).size).toBe(1);
  });

  it.each([1, 2, 3, 4, 5])('reopens the cart after a declined card and a crash after append %i', async (nth) => {
    const till = new Till();
    const sale = await till.checkedOut('tok_declined');
    till.store.faults.push(...Array<Fault>(nth - 1).fill(none), after);
    await till
      .process()
      .checkout.run(sale, contextOf('checkout ord_1'))
      .catch(() => undefined);

    await till.process().finish.run(jobOf(sale));

    expect(till.recorded).toEqual(DECLINED);
  });

  it('is finished once by a request and a process at the same time', async () => {
    const till = new Till();
    const sale = await till.checkedOut();
    await Promise.all([till.process().checkout.run(sale, contextOf('checkout ord_1')), till.process().finish.run(jobOf(sale))]);

    expect(till.recorded).toEqual(COMPLETED);
  });

  it('is completed once when a thousand other sales complete during its paused appends', async () => {
    const till = new Till();
    const sale = await till.checkedOut();
    const resumed = Promise.withResolvers<void>();
    // The payment is recorded; the appends of the next steps wait.
    till.store.faults.push(none, none, none, ...Array<Fault>(3).fill(later(() => resumed.promise)));
    const request = till.process().checkout.run(sale, contextOf('checkout ord_1'));
    await settled();
    expect(till.recorded).toEqual(['OrderPlaced', 'PaymentStarted', 'PaymentSucceeded']);

    await till.process().finish.run(jobOf(sale));
    await till.othersAreCompleted(1_001);
    resumed.resolve();
    await request;

    expect(till.recorded).toEqual(COMPLETED);
  });

  it('is completed once when a thousand other sales complete during its call to the gateway', async () => {
    const till = new Till();
    const sale = await till.checkedOut();
    const answered = Promise.withResolvers<void>();
    till.gateway.waits.push(answered.promise);
    const request = till.process().checkout.run(sale, contextOf('checkout ord_1'));
    await settled();

    await till.process().finish.run(jobOf(sale));
    await till.othersAreCompleted(1_001);
    answered.resolve();

    expect(await request).toBe('completed');
    expect(till.recorded).toEqual(COMPLETED);
  });

  it('gets a job for its first event', async () => {
    const till = new Till();
    const sale = await till.checkedOut();
    await till.process().finish.react(till.store.log.at(-1)!);

    expect(till.jobs.entries.get('checkout:ord_1')?.job).toMatchObject({
      queue: 'checkouts',
      data: { cartId: sale.cartId, orderId: 'ord_1' },
    });
  });
});

describe('A payment that the gateway has not settled', () => {
  async function waiting(token: 'tok_pending' | 'tok_timeout') {
    const till = new Till();
    const sale = await till.checkedOut(token);
    const status = await till.process().checkout.run(sale, contextOf('checkout ord_1'));
    const awaited = till.store.log.at(-1)!;
    return { till, sale, status, job: jobOf(sale, { paymentId: (awaited.data as { paymentId: string }).paymentId }), awaited };
  }

  it.each(['tok_pending', 'tok_timeout'] as const)('leaves the order pending until the result of %s is known', async (token) => {
    const { till, status, job, awaited } = await waiting(token);
    expect([status, awaited.type]).toEqual(['pending', 'PaymentAwaited']);

    expect(await till.process().settle.run(job)).toBeUndefined();
    expect(till.recorded).toEqual([...COMPLETED, 'PaymentAwaited'].sort());
  });

  it('gets a job that is due in 1 hour or in 1 second', async () => {
    for (const [token, due] of [
      ['tok_pending', '2026-02-01T10:00:00.000Z'],
      ['tok_timeout', '2026-02-01T09:00:01.000Z'],
    ] as const) {
      const { till, awaited } = await waiting(token);
      await till.process().settle.react(awaited);
      expect([...till.jobs.entries.values()].map(({ job }) => job.due)).toEqual([due]);
    }
  });

  it('is never charged again and is checked until the result is known', async () => {
    const { till, sale, job } = await waiting('tok_timeout');
    till.gateway.later = { status: 'unknown' };

    expect(await till.process().settle.run(job)).toMatchObject({ again: expect.any(String) });
    await till.process().finish.run(jobOf(sale));
    expect(till.gateway.charged).toHaveLength(1);
    expect(await till.process().streams.state(order, 'ord_1')).toMatchObject({ status: 'pending' });
  });

  it('fails the order and reopens the cart when it is declined later', async () => {
    const { till, job } = await waiting('tok_pending');
    till.gateway.later = { status: 'declined', code: 'card_declined', detail: 'No.', hard: false, method: null };

    await till.process().settle.run(job);
    expect(till.recorded).toEqual([...DECLINED, 'PaymentAwaited'].sort());
  });
});
