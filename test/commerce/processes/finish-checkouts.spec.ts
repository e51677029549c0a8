import type { CartCheckedOut } from '../../../src/commerce/domain/cart-state.js';
import { orderDecider } from '../../../src/commerce/domain/order.js';
import type { Sale } from '../../../src/commerce/domain/sale.js';
import { unscopedSubjectOfBox } from '../../../src/engine/encryption/subject-names.js';
import { toIso } from '../../../src/kernel/clock.js';
import { waitUntilIdle } from '../../support/clock.js';
import { recordErasure } from '../../support/forget.js';
import { createContext } from '../../support/jar.js';
import { crashAfter, crashAt, crashBefore, succeed } from '../../support/memory/crashes.js';
import { type AppendFault, runBefore as later } from '../../support/memory/faulty-event-store.js';
import { CheckoutFixture, createSaleJob } from '../checkout-fixture.js';
import { ada, clubPlan } from '../domain/facts.js';

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

const crashes = [crashBefore, crashAfter].flatMap((fault) =>
  Array.from(
    { length: APPENDS_OF_A_CHECKOUT },
    (_, n) => [fault === crashBefore ? 'before' : 'after', n + 1, fault] as const,
  ),
);

describe('A checkout that a crash interrupted', () => {
  it.each(crashes)('is finished without repeated events after a crash %s append %i', async (_, nth, fault) => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    fixture.store.faults.push(...crashAt(nth, fault));
    await fixture
      .startProcess()
      .checkout.run(sale, createContext('checkout ord_1'))
      .catch(() => undefined);
    fixture.store.faults.length = 0;

    await fixture.startProcess().finish.run(createSaleJob(sale));
    await fixture.startProcess().finish.run(createSaleJob(sale));

    expect(fixture.recordedTypes).toEqual(COMPLETED);
    expect(new Set(fixture.gateway.charged).size).toBe(1);
  });

  it.each([1, 2, 3, 4, 5])('reopens the cart after a declined card and a crash after append %i', async (nth) => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut('tok_declined');
    fixture.store.faults.push(...crashAt(nth, crashAfter));
    await fixture
      .startProcess()
      .checkout.run(sale, createContext('checkout ord_1'))
      .catch(() => undefined);

    await fixture.startProcess().finish.run(createSaleJob(sale));

    expect(fixture.recordedTypes).toEqual(DECLINED);
  });

  it('does not charge a buyer who has been forgotten since, and leaves no open cart', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    const { streams, finish } = fixture.startProcess();
    await recordErasure(streams, unscopedSubjectOfBox(sale.buyer.email));

    for (const process of [finish, fixture.startProcess().finish]) await process.run(createSaleJob(sale));

    expect(fixture.recordedTypes).toEqual(['CartExpired', 'CartReopened', 'SubjectForgotten']);
    expect(fixture.gateway.charged).toEqual([]);
  });

  it('is finished once by a request and a process at the same time', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    await Promise.all([
      fixture.startProcess().checkout.run(sale, createContext('checkout ord_1')),
      fixture.startProcess().finish.run(createSaleJob(sale)),
    ]);

    expect(fixture.recordedTypes).toEqual(COMPLETED);
  });

  it('is completed once when a thousand other sales complete during its paused appends', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    const resumed = Promise.withResolvers<void>();
    // The payment is recorded; the appends of the next steps wait.
    fixture.store.faults.push(succeed, succeed, succeed, ...Array<AppendFault>(3).fill(later(() => resumed.promise)));
    const request = fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));
    await waitUntilIdle();
    expect(fixture.recordedTypes).toEqual(['OrderPlaced', 'PaymentStarted', 'PaymentSucceeded']);

    await fixture.startProcess().finish.run(createSaleJob(sale));
    await fixture.completeOtherSales(1_001);
    resumed.resolve();
    await request;

    expect(fixture.recordedTypes).toEqual(COMPLETED);
  });

  it('is completed once when a thousand other sales complete during its call to the gateway', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    const answered = Promise.withResolvers<void>();
    fixture.gateway.pauses.push(answered.promise);
    const request = fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));
    await waitUntilIdle();

    await fixture.startProcess().finish.run(createSaleJob(sale));
    await fixture.completeOtherSales(1_001);
    answered.resolve();

    expect(await request).toBe('completed');
    expect(fixture.recordedTypes).toEqual(COMPLETED);
  });

  it('gets a job for its first event', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    await fixture.startProcess().finish.react(fixture.findEvent<CartCheckedOut>('CartCheckedOut'));

    expect(fixture.jobs.entries.get('checkout:ord_1')?.job).toMatchObject({
      queue: 'checkouts',
      data: { cartId: sale.cartId, orderId: 'ord_1' },
    });
  });
});

describe('A checkout at the same time as the erasure of its buyer', () => {
  const forget = (fixture: CheckoutFixture) =>
    recordErasure(fixture.startProcess().streams, unscopedSubjectOfBox(ada.email));
  const run = (fixture: CheckoutFixture, sale: Sale) =>
    fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));

  it('charges nothing when the erasure is recorded between its checks and its first event', async () => {
    const fixture = new CheckoutFixture();
    const beforeCheckout = later(() => forget(fixture));
    fixture.store.faults.push(succeed, succeed, succeed, beforeCheckout);
    const sale = await fixture.checkOut();
    const types = fixture.store.log.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['SubjectForgotten', 'CartCheckedOut']);

    expect(await run(fixture, sale)).toBe('forgotten');
    await fixture.startProcess().finish.run(createSaleJob(sale));
    expect(fixture.gateway.charged).toEqual([]);
    expect(fixture.recordedTypes).toEqual(['CartExpired', 'CartReopened', 'SubjectForgotten']);
  });

  it('ends its subscription when the erasure is recorded during the charge', async () => {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut();
    const charged = Promise.withResolvers<void>();
    fixture.gateway.pauses.push(charged.promise);
    const request = run(fixture, sale);
    await waitUntilIdle();
    await forget(fixture);
    charged.resolve();

    expect(await request).toBe('completed');
    await fixture.startProcess().finish.run(createSaleJob(sale));
    expect(fixture.recordedTypes).toEqual([...COMPLETED, 'SubjectForgotten', 'SubscriptionCancelled'].sort());
  });

  it('ends its installments too', async () => {
    const fixture = new CheckoutFixture({ ...clubPlan, kind: 'installment', installmentsCount: 3 });
    const sale = await fixture.checkOut();
    const charged = Promise.withResolvers<void>();
    fixture.gateway.pauses.push(charged.promise);
    const request = run(fixture, sale);
    await waitUntilIdle();
    await forget(fixture);
    charged.resolve();

    await request;
    expect(fixture.recordedTypes).toEqual(
      expect.arrayContaining(['InstallmentPlanStarted', 'InstallmentPlanCancelled', 'OrderCompleted']),
    );
  });

  it('sells to a person who has given the address again after the erasure', async () => {
    const fixture = new CheckoutFixture();
    await forget(fixture);
    expect(await run(fixture, await fixture.checkOut())).toBe('completed');
    expect(fixture.recordedTypes).toEqual([...COMPLETED, 'SubjectForgotten'].sort());
  });
});

describe('A payment that the gateway has not settled', () => {
  async function startUnsettledPayment(token: 'tok_pending' | 'tok_timeout') {
    const fixture = new CheckoutFixture();
    const sale = await fixture.checkOut(token);
    const status = await fixture.startProcess().checkout.run(sale, createContext('checkout ord_1'));
    const unsettled = fixture.store.log.at(-1)!;
    return {
      fixture,
      sale,
      status,
      unsettled,
    };
  }

  it.each(['tok_pending', 'tok_timeout'] as const)(
    'leaves the order pending until the result of %s is known',
    async (token) => {
      const { fixture, status, unsettled } = await startUnsettledPayment(token);
      expect([status, unsettled.type]).toEqual(['pending', 'PaymentUnsettled']);

      expect(await fixture.runTimer('settlement')).toBeUndefined();
      expect(fixture.recordedTypes).toEqual([...COMPLETED, 'PaymentUnsettled'].sort());
    },
  );

  it('gets a timer that is due in 1 hour or in 1 second', async () => {
    for (const [token, due] of [
      ['tok_pending', '2026-02-01T10:00:00.000Z'],
      ['tok_timeout', '2026-02-01T09:00:01.000Z'],
    ] as const) {
      const { fixture } = await startUnsettledPayment(token);
      expect(fixture.findTimer('settlement').due).toBe(due);
    }
  });

  it('is never charged again and is checked until the result is known', async () => {
    const { fixture, sale } = await startUnsettledPayment('tok_timeout');
    fixture.gateway.laterResult = { status: 'unknown' };

    const minuteLater = toIso(fixture.clock.now() + 60_000);
    expect(await fixture.runTimer('settlement')).toMatchObject({ at: minuteLater });
    await fixture.startProcess().finish.run(createSaleJob(sale));
    expect(fixture.gateway.charged).toHaveLength(1);
    expect(await fixture.startProcess().streams.loadState(orderDecider, 'ord_1')).toMatchObject({ status: 'pending' });
  });

  it('fails the order and reopens the cart when it is declined later', async () => {
    const { fixture } = await startUnsettledPayment('tok_pending');
    fixture.gateway.laterResult = {
      status: 'declined',
      code: 'card_declined',
      detail: 'No.',
      hard: false,
      method: null,
    };

    await fixture.runTimer('settlement');
    expect(fixture.recordedTypes).toEqual([...DECLINED, 'PaymentUnsettled'].sort());
  });
});
