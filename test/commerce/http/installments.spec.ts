import { DAY_MS } from '../../../src/kernel/clock.js';
import { requireData } from '../../support/api.js';
import { CommerceFixture, MONTHLY, ONCE } from '../commerce-fixture.js';

const START = '2030-01-31T09:00:00.000Z';
const SECOND_DUE = '2030-02-28T09:00:00.000Z';
const THIRD_DUE = '2030-03-31T09:00:00.000Z';
const PARTS = { ...MONTHLY, kind: 'installment', amount_cents: 3300, installments_count: 3, name: 'Three parts' };

const daysAfter = (time: string, days: number) => new Date(Date.parse(time) + days * DAY_MS).toISOString();

let main: CommerceFixture;
beforeAll(async () => {
  main = await CommerceFixture.start();
});
afterAll(() => main.service.stop());

/** A business with a test clock and one order, which is paid in three parts from 31 January 2030. */
class Seller {
  private constructor(
    readonly shop: CommerceFixture,
    readonly orderId: string,
  ) {}

  static async start(token = 'tok_ok', discount: object | null = null): Promise<Seller> {
    const shop = await CommerceFixture.createIn(main.service, 'test');
    requireData(await shop.api.put('/v1/commerce/test-clock', { now: START }));
    const products = [
      await shop.createApprovedProduct({ plans: [PARTS] }),
      await shop.createApprovedProduct({ plans: [{ ...ONCE, amount_cents: 100 }] }),
    ];
    if (discount !== null) requireData(await shop.api.post('/v1/commerce/discounts', { code: 'SPRING', ...discount }));
    const cart = await shop.createCart(products, discount === null ? {} : { discount_code: 'SPRING' });
    return new Seller(shop, requireData(await shop.checkOut(cart.id, token)).id);
  }

  async advance(now: string): Promise<void> {
    requireData(await this.shop.api.put('/v1/commerce/test-clock', { now }));
  }

  order() {
    return this.shop.get(`orders/${this.orderId}`);
  }

  /** From the oldest to the newest. */
  async list(path: 'payments' | 'invoices') {
    return (await this.shop.list(path)).body.data.reverse();
  }

  /** The status and the total of each invoice, from the oldest to the newest. */
  async invoices() {
    return (await this.list('invoices')).map(
      ({ status, total_amount_cents: total }: { status: string; total_amount_cents: number }) => [status, total],
    );
  }
}

describe('An order that is paid in installments', () => {
  it('is charged by interval until its last part is paid', async () => {
    const seller = await Seller.start();
    const before = await seller.order();
    await seller.advance(SECOND_DUE);
    expect(await seller.list('payments')).toHaveLength(2);
    await seller.advance('2031-01-31T09:00:00.000Z');

    const later = { amount_cents: 3300, status: 'succeeded', subscription: null, order: { id: seller.orderId } };
    const payments = await seller.list('payments');
    expect(payments).toMatchObject([
      { kind: 'initial', amount_cents: 3400, created_at: START },
      { kind: 'installment', created_at: SECOND_DUE, ...later },
      { kind: 'installment', created_at: THIRD_DUE, ...later },
    ]);
    const issued = {
      kind: 'renewal',
      status: 'paid',
      subscription: null,
      order: { id: seller.orderId },
      lines: [{ id: before.line_items[0].id, name: 'A course', amount_cents: 3300 }],
    };
    expect(await seller.list('invoices')).toMatchObject([
      { kind: 'sale', number: '2030-000001' },
      { ...issued, number: '2030-000002', payment: { id: payments[1].id } },
      { ...issued, number: '2030-000003', payment: { id: payments[2].id } },
    ]);
    expect((await seller.shop.get('balance')).balances).toMatchObject([{ amount_cents: 3298 + 2 * 3201 }]);
    expect(await seller.order()).toEqual({
      ...before,
      payments: payments.map(({ id }: { id: string }) => ({ object: 'payment', id })),
      installments: { count: 3, paid: 3, failed: 0, remaining_amount_cents: 0, next_due_at: null, status: 'completed' },
    });
    expect(before.line_items[0]).not.toHaveProperty('subscription');
    expect((await seller.shop.list('subscriptions')).body.data).toEqual([]);
  });

  it('is retried after a failed charge, and stays completed when a part is given up', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    const retries = [0, 2, 7, 14, 21].map((days) => daysAfter(SECOND_DUE, days));
    for (const [i, retry] of retries.entries()) {
      await seller.advance(retry);
      expect(await seller.list('payments')).toHaveLength(i + 2);
    }
    await seller.advance('2031-01-31T09:00:00.000Z');

    const payments = await seller.list('payments');
    expect(payments.slice(1).map(({ created_at: at, status }: Record<string, string>) => [at, status])).toEqual(
      retries.map((retry) => [retry, 'failed']),
    );
    expect(await seller.invoices()).toEqual([
      ['paid', 3400],
      ['uncollectible', 3300],
    ]);
    expect(await seller.order()).toMatchObject({ status: 'completed' });
  });

  it.each([
    [
      'once',
      { percent_off: 100, duration: 'once' },
      [
        ['paid', 0],
        ['paid', 3300],
        ['paid', 3300],
      ],
    ],
    [
      'for two months',
      { percent_off: 50, duration: 'repeating', months: 2 },
      [
        ['paid', 1700],
        ['paid', 1650],
        ['paid', 3300],
      ],
    ],
    [
      'in every part',
      { percent_off: 100, duration: 'forever' },
      [
        ['paid', 0],
        ['paid', 0],
        ['paid', 0],
      ],
    ],
  ])('is discounted %s', async (_, discount, invoices) => {
    const seller = await Seller.start('tok_ok', discount);
    await seller.advance(THIRD_DUE);

    expect(await seller.invoices()).toEqual(invoices);
  });

  it('waits for a charge that is not settled, and then goes on', async () => {
    const seller = await Seller.start('tok_pending');
    await seller.advance(daysAfter(START, 1));
    expect(await seller.order()).toMatchObject({ status: 'completed' });
    await seller.advance(daysAfter(SECOND_DUE, 0));
    expect(await seller.invoices()).toEqual([['paid', 3400]]);

    await seller.advance('2030-02-28T10:00:00.000Z');
    expect(await seller.invoices()).toEqual([
      ['paid', 3400],
      ['open', 3300],
    ]);
    await seller.advance('2030-02-28T11:00:00.000Z');
    expect(await seller.invoices()).toEqual([
      ['paid', 3400],
      ['paid', 3300],
    ]);
  });
});

describe('The cancellation of installments', () => {
  const cancel = ({ shop, orderId }: Seller) =>
    shop.api.post(`/v1/commerce/orders/${orderId}/installments/cancellations`);

  it('answers the order, ends the charges, and is the same when repeated', async () => {
    const seller = await Seller.start();
    await seller.advance(SECOND_DUE);
    for (let times = 0; times < 2; times++) {
      const order = requireData(await cancel(seller));
      expect(order).toMatchObject({
        id: seller.orderId,
        installments: { count: 3, paid: 2, remaining_amount_cents: 0, next_due_at: null, status: 'cancelled' },
      });
      expect(order).toEqual(await seller.order());
    }

    await seller.advance(daysAfter(THIRD_DUE, 60));
    expect(await seller.list('payments')).toHaveLength(2);
    expect(await seller.order()).toMatchObject({ status: 'completed' });
  });

  it('voids the invoice of a part that is not paid, and stops its retries', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.advance(SECOND_DUE);
    requireData(await cancel(seller));

    await seller.advance(daysAfter(THIRD_DUE, 60));
    expect(await seller.list('payments')).toHaveLength(2);
    expect((await seller.invoices()).map(([status]: readonly string[]) => status)).toEqual(['paid', 'void']);
  });

  it('is refused after the last part, and for an order without installments', async () => {
    const seller = await Seller.start();
    await seller.advance(daysAfter(THIRD_DUE, 60));
    const plain = await seller.shop.createOrder([await seller.shop.createApprovedProduct({ plans: [ONCE] })]);
    for (const orderId of [seller.orderId, plain.id])
      expect(await cancel({ shop: seller.shop, orderId } as Seller)).toMatchObject({
        status: 422,
        body: { code: 'installments_ended' },
      });
  });

  it('is refused for now while the first payment has no result, and works later', async () => {
    const seller = await Seller.start('tok_pending');
    const path = `/v1/commerce/orders/${seller.orderId}/installments/payment-method`;
    const early = [await cancel(seller), await seller.shop.api.put(path, { token: 'tok_ok' })];
    for (const { status, body } of early) expect([status, body.code]).toEqual([409, 'concurrent_update']);
    await seller.advance(daysAfter(START, 1));
    expect(requireData(await cancel(seller)).installments).toMatchObject({ status: 'cancelled', paid: 1 });
    await seller.advance(daysAfter(THIRD_DUE, 60));
    expect(await seller.list('payments')).toHaveLength(1);
  });

  it('is not found for the order of another business', async () => {
    const { orderId } = await Seller.start();
    const { shop } = await Seller.start();
    expect((await cancel({ shop, orderId } as Seller)).status).toBe(404);
  });
});

describe('The order that is paid in installments', () => {
  it('shows how far it is paid, from its completion on', async () => {
    const seller = await Seller.start();
    const installments = { count: 3, failed: 0, status: 'active' };
    expect((await seller.order()).installments).toEqual({
      ...installments,
      paid: 1,
      remaining_amount_cents: 6600,
      next_due_at: SECOND_DUE,
    });
    await seller.advance(SECOND_DUE);
    expect((await seller.order()).installments).toEqual({
      ...installments,
      paid: 2,
      remaining_amount_cents: 3300,
      next_due_at: THIRD_DUE,
    });
  });

  it('has no installments when its lines have none, or before it is completed', async () => {
    const { shop } = await Seller.start();
    expect((await shop.createOrder([await shop.createApprovedProduct()])).installments).toBeNull();
    const cart = await shop.createCart([await shop.createApprovedProduct({ plans: [PARTS] })]);
    expect(requireData(await shop.checkOut(cart.id, 'tok_pending'))).toMatchObject({
      status: 'pending',
      installments: null,
    });
  });

  it('shows a failed part and its retry, and its end', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.advance(SECOND_DUE);
    expect((await seller.order()).installments).toEqual({
      count: 3,
      paid: 1,
      failed: 1,
      remaining_amount_cents: 6600,
      next_due_at: daysAfter(SECOND_DUE, 2),
      status: 'active',
    });
    await seller.advance(daysAfter(SECOND_DUE, 30));
    expect(await seller.order()).toMatchObject({
      installments: { paid: 1, failed: 1, remaining_amount_cents: 0, next_due_at: null, status: 'uncollectible' },
      payments: { length: 6 },
    });
  });

  it('adds the installments of all its lines, and what a discount leaves of them', async () => {
    const shop = await CommerceFixture.createIn(main.service, 'test');
    requireData(await shop.api.put('/v1/commerce/test-clock', { now: START }));
    const weekly = { ...PARTS, interval: 'week', amount_cents: 1000, installments_count: 2 };
    const products = [];
    for (const plan of [PARTS, weekly]) products.push(await shop.createApprovedProduct({ plans: [plan] }));
    const half = { code: 'HALF', percent_off: 50, duration: 'repeating', months: 2 };
    requireData(await shop.api.post('/v1/commerce/discounts', half));
    const order = await shop.createOrder(products, { discount_code: 'HALF' });
    expect(order.installments).toEqual({
      count: 5,
      paid: 2,
      failed: 0,
      remaining_amount_cents: 1650 + 3300 + 500,
      next_due_at: '2030-02-07T09:00:00.000Z',
      status: 'active',
    });
  });
});

describe('The payment method of installments', () => {
  const change = ({ shop, orderId }: Seller, token: string) =>
    shop.api.put(`/v1/commerce/orders/${orderId}/installments/payment-method`, { token });

  it('charges the later parts', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    expect(requireData(await change(seller, 'tok_ok'))).toEqual(await seller.order());
    await seller.advance(THIRD_DUE);
    expect((await seller.order()).installments).toMatchObject({ paid: 3, status: 'completed' });
  });

  it('charges a part that is past due at once', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.advance(SECOND_DUE);
    expect(requireData(await change(seller, 'tok_ok')).installments).toMatchObject({ paid: 2, next_due_at: THIRD_DUE });
    expect(await seller.invoices()).toEqual([
      ['paid', 3400],
      ['paid', 3300],
    ]);
  });

  it('is refused when the charge of a part that is past due fails, and the retries go on', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.advance(SECOND_DUE);
    expect(await change(seller, 'tok_insufficient_funds')).toMatchObject({
      status: 402,
      body: { code: 'payment_failed', errors: [{ code: 'insufficient_funds', param: 'token' }] },
    });
    const failed = { paid: 1, failed: 1, next_due_at: daysAfter(SECOND_DUE, 2), status: 'active' };
    expect((await seller.order()).installments).toMatchObject(failed);
    await seller.advance(daysAfter(SECOND_DUE, 2));
    expect(await seller.list('payments')).toHaveLength(4);
  });

  it('is refused for an unknown method, and after the end', async () => {
    const seller = await Seller.start();
    const code = async (token: string) => {
      const { status, body } = await change(seller, token);
      return [status, body.code];
    };
    expect(await code('tok_nobody')).toEqual([422, 'payment_method_invalid']);
    await seller.advance(THIRD_DUE);
    expect(await code('tok_ok')).toEqual([422, 'installments_ended']);
  });
});

describe('A part that is charged while the installments end', () => {
  const endings: [string, (seller: Seller) => Promise<unknown>, object][] = [
    [
      'a cancellation',
      ({ shop, orderId }) => shop.api.post(`/v1/commerce/orders/${orderId}/installments/cancellations`),
      { refund_status: 'none', refunded_amount_cents: 0 },
    ],
    [
      'a full refund',
      async ({ shop, orderId }) => {
        const [{ id }] = (await shop.get(`orders/${orderId}`)).payments;
        return shop.api.post(`/v1/commerce/payments/${id}/refunds`);
      },
      { refund_status: 'partial', refunded_amount_cents: 3400 },
    ],
  ];
  const cases = endings.flatMap((ending) => ['tok_pending', 'tok_timeout'].map((token) => [token, ...ending] as const));

  it.each(cases)('counts as paid when %s succeeds after %s', async (token, _, end, refunds) => {
    const seller = await Seller.start();
    const path = `/v1/commerce/orders/${seller.orderId}/installments/payment-method`;
    requireData(await seller.shop.api.put(path, { token }));
    await seller.advance(SECOND_DUE);
    await end(seller);
    const ended = { remaining_amount_cents: 0, next_due_at: null, status: 'cancelled' };
    expect(await seller.order()).toMatchObject({ installments: { paid: 1, ...ended } });

    for (const days of [1, 70]) {
      await seller.advance(daysAfter(SECOND_DUE, days));
      expect(await seller.order()).toMatchObject({ installments: { paid: 2, ...ended }, ...refunds });
      expect((await seller.list('payments')).map(({ status }: { status: string }) => status)).toEqual([
        'succeeded',
        'succeeded',
      ]);
    }
  });
});

describe('The refunds of an order that is paid in installments', () => {
  const refund = async (seller: Seller, n: number, amount?: number) => {
    const { id } = (await seller.list('payments'))[n];
    const body = amount === undefined ? undefined : { amount_cents: amount };
    return requireData(await seller.shop.api.post(`/v1/commerce/payments/${id}/refunds`, body));
  };

  it('count the refunds of all its payments', async () => {
    const seller = await Seller.start();
    await seller.advance(SECOND_DUE);
    await refund(seller, 1, 300);
    expect(await seller.order()).toMatchObject({ refunded_amount_cents: 300, refund_status: 'partial' });
    await refund(seller, 0);
    expect(await seller.order()).toMatchObject({
      refunded_amount_cents: 3700,
      refund_status: 'partial',
      installments: { status: 'active' },
    });
  });

  it('end the installments when everything that was paid is refunded', async () => {
    const seller = await Seller.start();
    await seller.advance(SECOND_DUE);
    for (const n of [0, 1]) await refund(seller, n);
    const ended = {
      refunded_amount_cents: 6700,
      refund_status: 'full',
      installments: { paid: 2, status: 'cancelled' },
    };
    expect(await seller.order()).toMatchObject(ended);
    await seller.advance(daysAfter(THIRD_DUE, 60));
    expect(await seller.list('payments')).toHaveLength(2);
  });

  it('void the invoice of an unpaid part with the end of the installments', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.advance(SECOND_DUE);
    await refund(seller, 0);
    expect((await seller.invoices()).map(([status]: readonly string[]) => status)).toEqual(['paid', 'void']);
  });

  it('do not end the installments when a refund is declined', async () => {
    const seller = await Seller.start('tok_refund_declined');
    const [{ id }] = await seller.list('payments');
    expect((await seller.shop.api.post(`/v1/commerce/payments/${id}/refunds`)).status).toBe(422);
    expect(await seller.order()).toMatchObject({ refund_status: 'none', installments: { status: 'active' } });
  });
});
