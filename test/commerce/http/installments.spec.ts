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
    expect(await seller.order()).toEqual(before);
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
