import { DAY_MS } from '../../../src/kernel/clock.js';
import { requireData } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { CommerceFixture, MONTHLY } from '../commerce-fixture.js';

interface Ids {
  readonly id: string;
}

const START = '2030-01-31T09:00:00.000Z';
const FIRST_DUE = '2030-02-28T09:00:00.000Z';
const SECOND_DUE = '2030-03-31T09:00:00.000Z';
const YEARLY = { ...MONTHLY, amount_cents: 49_000, interval: 'year', name: 'Yearly' };

const FREE = { ...MONTHLY, amount_cents: 0, name: 'Free' };

const daysAfter = (time: string, days: number) => new Date(Date.parse(time) + days * DAY_MS).toISOString();

let main: CommerceFixture;
beforeAll(async () => {
  main = await CommerceFixture.start();
});
afterAll(() => main.service.stop());

/** A business with a test clock and one subscription, which starts on 31 January 2030. */
class Seller {
  private constructor(
    readonly shop: CommerceFixture,
    readonly product: Ids & { readonly plans: readonly Ids[] },
    readonly id: string,
  ) {}

  static async start(token = 'tok_ok', cart: object = {}): Promise<Seller> {
    const shop = await CommerceFixture.createIn(main.service, 'test');
    requireData(await shop.api.put('/v1/commerce/test-clock', { now: START }));
    const product = await shop.createApprovedProduct({ plans: [MONTHLY, YEARLY] });
    if ('discount_code' in cart)
      requireData(
        await shop.api.post('/v1/commerce/discounts', {
          code: cart.discount_code,
          percent_off: 100,
          duration: 'repeating',
          months: 2,
        }),
      );
    const { id } = await shop.createCart([], { ...cart });
    requireData(await shop.addLine(id, { product_id: product.id, plan_id: product.plans[0].id }));
    const order = requireData(await shop.checkOut(id, token));
    return new Seller(shop, product, order.line_items[0].subscription.id);
  }

  async advance(now: string) {
    requireData(await this.shop.api.put('/v1/commerce/test-clock', { now }));
    return this.read();
  }

  read() {
    return this.shop.get(`subscriptions/${this.id}`);
  }

  send(path: string, body?: object) {
    return this.shop.api.post(`/v1/commerce/subscriptions/${this.id}/${path}`, body);
  }

  async act(path: string, body?: object) {
    return requireData(await this.send(path, body));
  }

  changeMethod(token: string) {
    return this.shop.api.put(`/v1/commerce/subscriptions/${this.id}/payment-method`, { token });
  }

  async changes() {
    return (await this.shop.list(`subscriptions/${this.id}/changes`)).body.data;
  }

  /** The payments of renewals, from the oldest to the newest. */
  async payments() {
    const { body } = await this.shop.list('payments');
    return body.data.filter(({ kind }: { kind: string }) => kind === 'renewal').reverse();
  }

  /** The public events of the subscription of this type, once there are some. */
  published(type: string) {
    const list = async () =>
      requireData(await this.shop.api.get('/v1/webhooks/events?limit=100')).filter(
        (event: { type: string; data: Ids }) => event.type === type && event.data.id === this.id,
      );
    return eventually(list, ({ length }) => length > 0);
  }

  async invoices() {
    return (await this.shop.list('invoices?kind=renewal')).body.data.reverse();
  }
}

describe('A renewal', () => {
  it('charges each period on its anchor day, with an invoice for each payment', async () => {
    const seller = await Seller.start();

    expect(await seller.advance(FIRST_DUE)).toMatchObject({ status: 'active', next_billing_at: SECOND_DUE });
    expect(await seller.advance('2030-05-01T09:00:00.000Z')).toMatchObject({
      next_billing_at: '2030-05-31T09:00:00.000Z',
    });
    const [payments, invoices] = [await seller.payments(), await seller.invoices()];
    expect(payments.map((payment: { created_at: string }) => payment.created_at)).toEqual([
      FIRST_DUE,
      SECOND_DUE,
      '2030-04-30T09:00:00.000Z',
    ]);
    expect(invoices).toMatchObject(
      payments.map(({ id }: Ids) => ({
        status: 'paid',
        payment: { id },
        subscription: { id: seller.id },
        total_amount_cents: 4900,
      })),
    );
    expect((await seller.shop.get('balance')).balances).toMatchObject([{ amount_cents: 4 * (4900 - 147) }]);
  });

  it('bills nothing, then the new terms: a superseded, a superseded and an applied change', async () => {
    const seller = await Seller.start('tok_ok', { discount_code: 'FREE' });
    const [monthly, yearly] = seller.product.plans.map(({ id }) => id);
    await seller.act('plan', { plan_id: yearly });
    await seller.act('price', { amount_cents: 5900 });
    await seller.act('plan', { plan_id: yearly });

    expect(await seller.advance(FIRST_DUE)).toMatchObject({
      status: 'active',
      plan: { id: monthly },
      amount_cents: 4900,
      next_billing_at: SECOND_DUE,
      pending_change: { effective_at: SECOND_DUE },
    });
    expect(await seller.payments()).toEqual([]);
    expect(await seller.invoices()).toMatchObject([{ status: 'paid', total_amount_cents: 0, payment: null }]);

    expect(await seller.advance(SECOND_DUE)).toMatchObject({
      status: 'active',
      plan: { id: yearly },
      amount_cents: 49_000,
      next_billing_at: '2031-03-31T09:00:00.000Z',
      pending_change: null,
    });
    const [payment] = await seller.payments();
    expect(await seller.changes()).toMatchObject([
      {
        status: 'applied',
        effective_at: SECOND_DUE,
        effective_confirmed_at: payment.created_at,
        confirmed_by: { id: payment.id },
      },
      { status: 'superseded' },
      { status: 'superseded' },
    ]);
    expect(await seller.published('subscription.plan_changed')).toMatchObject([
      {
        data: { status: 'active', plan: { id: yearly }, old_plan: { object: 'payment_plan', id: monthly } },
      },
    ]);
  });

  it('bills the current terms when the new plan was archived', async () => {
    const seller = await Seller.start();
    const { product } = seller;
    await seller.act('plan', { plan_id: product.plans[1]!.id });
    requireData(await seller.shop.api.delete(`/v1/commerce/products/${product.id}/plans/${product.plans[1]!.id}`));

    expect(await seller.advance(FIRST_DUE)).toMatchObject({
      plan: { id: product.plans[0]!.id },
      amount_cents: 4900,
      pending_change: null,
    });
    expect(await seller.payments()).toMatchObject([{ status: 'succeeded', amount_cents: 4900 }]);
    expect(await seller.changes()).toMatchObject([
      { status: 'failed', effective_confirmed_at: null, failure: { code: 'plan_not_available', failed_at: FIRST_DUE } },
    ]);
  });

  it('keeps the anchor of 29 February through years', async () => {
    const seller = await Seller.start();
    await seller.act('plan', { plan_id: seller.product.plans[1]!.id });
    const years = ['2031-02-28', '2032-02-29', '2033-02-28'].map((day) => `${day}T09:00:00.000Z`);
    await seller.advance(FIRST_DUE);

    for (const [i, due] of years.slice(0, -1).entries()) {
      expect(await seller.read()).toMatchObject({ next_billing_at: due });
      expect(await seller.advance(due)).toMatchObject({ next_billing_at: years[i + 1] });
    }
  });

  it('waits for a charge that is not settled', async () => {
    const seller = await Seller.start();
    requireData(await seller.changeMethod('tok_pending'));

    expect(await seller.advance(FIRST_DUE)).toMatchObject({ status: 'active', next_billing_at: FIRST_DUE });
    expect((await seller.send('price', { amount_cents: 1 })).body.code).toBe('concurrent_update');
    expect(await seller.advance('2030-02-28T10:00:00.000Z')).toMatchObject({ next_billing_at: SECOND_DUE });
    expect(await seller.payments()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('keeps the payment of a subscription that ended during the charge', async () => {
    const seller = await Seller.start();
    requireData(await seller.changeMethod('tok_pending'));
    await seller.advance(FIRST_DUE);
    expect(await seller.act('cancel', { mode: 'immediately' })).toMatchObject({ status: 'cancelled' });

    expect(await seller.advance('2030-02-28T10:00:00.000Z')).toMatchObject({
      status: 'cancelled',
      next_billing_at: null,
    });
    expect(await seller.payments()).toMatchObject([{ status: 'succeeded' }]);
    expect(await seller.invoices()).toMatchObject([{ status: 'paid' }]);
  });
});

describe('A failed renewal', () => {
  it('is retried, and ends the subscription after the last retry', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.act('price', { amount_cents: 5900 });
    const retries = [2, 7, 14, 21].map((days) => daysAfter(FIRST_DUE, days));

    expect(await seller.advance(FIRST_DUE)).toMatchObject({ status: 'past_due', next_billing_at: retries[0] });
    for (const [i, retry] of retries.slice(0, -1).entries())
      expect(await seller.advance(retry)).toMatchObject({ status: 'past_due', next_billing_at: retries[i + 1] });
    expect(await seller.advance(retries[3]!)).toMatchObject({
      status: 'cancelled',
      cancelled_at: retries[3],
      cancellation_reason: 'payment_failed',
    });
    expect(await seller.payments()).toHaveLength(5);
    expect(await seller.invoices()).toMatchObject([{ status: 'uncollectible', total_amount_cents: 5900 }]);
    expect(await seller.changes()).toMatchObject([{ status: 'failed', failure: { code: 'payment_failed' } }]);
    expect(await seller.published('subscription.cancelled')).toHaveLength(1);
    expect(await seller.published('subscription.past_due')).toHaveLength(1);
  });

  it('ends the subscription at once after a hard decline', async () => {
    const seller = await Seller.start();
    requireData(await seller.changeMethod('tok_lost_card'));

    expect(await seller.advance(FIRST_DUE)).toMatchObject({
      status: 'cancelled',
      cancellation_reason: 'payment_failed',
    });
  });

  it('is charged again with a new payment method', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    const { next_billing_at } = await seller.advance(FIRST_DUE);
    const declined = await seller.changeMethod('tok_lost_card');
    expect([declined.status, declined.body.code, declined.body.errors[0].param]).toEqual([
      402,
      'payment_failed',
      'token',
    ]);
    expect(await seller.read()).toMatchObject({ status: 'past_due', next_billing_at });

    expect((await seller.changeMethod('tok_ok')).body.data).toMatchObject({
      status: 'active',
      next_billing_at: SECOND_DUE,
    });
    expect(await seller.invoices()).toMatchObject([{ status: 'paid' }]);
  });

  it('leaves no open invoice when the subscription is cancelled', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.advance(FIRST_DUE);

    expect(await seller.act('cancel')).toMatchObject({ status: 'cancelled', cancelled_at: FIRST_DUE });
    expect(await seller.advance(daysAfter(FIRST_DUE, 30))).toMatchObject({ status: 'cancelled' });
    const invoices = await eventually(
      () => seller.invoices(),
      ([invoice]) => invoice.status !== 'open',
    );
    expect(invoices).toMatchObject([{ status: 'void', voided_at: FIRST_DUE }]);
    expect(await seller.payments()).toHaveLength(1);
  });

  it('refuses an unknown payment method, and any for a cancelled subscription', async () => {
    const seller = await Seller.start();
    const unknown = await seller.changeMethod('tok_unknown');
    await seller.act('cancel', { mode: 'immediately' });
    const late = await seller.changeMethod('tok_ok');

    expect([unknown, late].map(({ status, body }) => [status, body.code])).toEqual([
      [422, 'payment_method_invalid'],
      [422, 'subscription_already_cancelled'],
    ]);
  });
});

describe('A paused subscription', () => {
  const LATER = '2030-04-10T09:00:00.000Z';

  it('is not charged, and begins a new period when it resumes', async () => {
    const seller = await Seller.start();
    await seller.act('plan', { plan_id: seller.product.plans[1]!.id });
    await seller.act('pause');
    expect(await seller.advance(LATER)).toMatchObject({ status: 'paused' });
    expect(await seller.payments()).toEqual([]);

    expect(await seller.act('resume')).toMatchObject({
      status: 'active',
      next_billing_at: '2031-04-10T09:00:00.000Z',
      amount_cents: 49_000,
    });
    expect(await seller.changes()).toMatchObject([
      { status: 'applied', effective_at: LATER, effective_confirmed_at: LATER },
    ]);
  });

  it('stays paused when the charge of a caller fails', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.act('pause');
    await seller.advance(LATER);
    const replies = [await seller.send('resume'), await seller.send('resume')];

    expect(replies.map(({ status, body }) => [status, body.code])).toEqual([
      [402, 'payment_failed'],
      [402, 'payment_failed'],
    ]);
    expect(await seller.read()).toMatchObject({ status: 'paused' });
    expect(await seller.invoices()).toMatchObject([{ status: 'void' }, { status: 'void' }]);
    requireData(await seller.changeMethod('tok_ok'));
    expect(await seller.act('resume')).toMatchObject({ status: 'active', next_billing_at: '2030-05-10T09:00:00.000Z' });
  });

  it('resumes by itself, within the paid period and after it', async () => {
    const [within, after] = await Promise.all([Seller.start(), Seller.start()]);
    await within.act('pause', { resumes_at: '2030-02-10T09:00:00Z' });
    await after.act('pause', { resumes_at: LATER });

    expect(await within.advance('2030-02-10T09:00:00.000Z')).toMatchObject({
      status: 'active',
      next_billing_at: FIRST_DUE,
    });
    expect(await after.advance(LATER)).toMatchObject({ status: 'active', next_billing_at: '2030-05-10T09:00:00.000Z' });
  });

  it('is past due when it resumes by itself and the charge fails', async () => {
    const seller = await Seller.start('tok_fail_on_renewal');
    await seller.act('pause', { resumes_at: LATER });

    expect(await seller.advance(LATER)).toMatchObject({
      status: 'past_due',
      paused_at: null,
      next_billing_at: daysAfter(LATER, 2),
    });
  });

  it('ends with its paid period', async () => {
    const seller = await Seller.start();
    await seller.act('pause');
    await seller.act('cancel');

    expect(await seller.advance(FIRST_DUE)).toMatchObject({
      status: 'cancelled',
      cancel_at: FIRST_DUE,
      cancelled_at: FIRST_DUE,
    });
  });
});

describe('A scheduled cancellation', () => {
  it('ends the subscription without another charge', async () => {
    const seller = await Seller.start();
    await seller.act('cancel');

    expect(await seller.advance(SECOND_DUE)).toMatchObject({ status: 'cancelled', cancelled_at: FIRST_DUE });
    expect(await seller.payments()).toEqual([]);
  });

  it('is forgotten after it was revoked', async () => {
    const seller = await Seller.start();
    await seller.act('cancel');
    await seller.act('uncancel');

    expect(await seller.advance(FIRST_DUE)).toMatchObject({ status: 'active', next_billing_at: SECOND_DUE });
  });
});

describe('A change to a free plan', () => {
  async function startWithFreePlan(cart: object = {}) {
    const seller = await Seller.start('tok_ok', cart);
    const { plans } = requireData(await seller.shop.api.post(`/v1/commerce/products/${seller.product.id}/plans`, FREE));
    const free = (plans as { id: string; amount_cents: number }[]).find((plan) => plan.amount_cents === 0)!;
    requireData(await seller.send('plan', { plan_id: free.id }));
    return { seller, free };
  }

  it.each([{}, { discount_code: 'ALLFREE' }])('is applied at the renewal by its zero invoice: %j', async (cart) => {
    const { seller, free } = await startWithFreePlan(cart);
    const changed = await seller.advance(FIRST_DUE);
    expect(changed).toMatchObject({ status: 'active', amount_cents: 0, plan: { id: free.id }, pending_change: null });

    const [change] = requireData(await seller.shop.list(`subscriptions/${seller.id}/changes`));
    expect(change).toMatchObject({ status: 'applied', effective_confirmed_at: FIRST_DUE });
    expect(change.confirmed_by).toEqual({ object: 'invoice', id: expect.stringMatching(/^inv_/) });
    expect(await seller.shop.get(`invoices/${change.confirmed_by.id}`)).toMatchObject({
      status: 'paid',
      total_amount_cents: 0,
      discount_amount_cents: 0,
      lines: [{ plan: { id: free.id }, unit_amount_cents: 0, discount_amount_cents: 0 }],
    });
  });

  it('is followed by a change back to a plan that costs, which the next renewal charges', async () => {
    const { seller } = await startWithFreePlan();
    await seller.advance(FIRST_DUE);
    requireData(await seller.send('plan', { plan_id: seller.product.plans[0]!.id }));
    expect(await seller.advance(SECOND_DUE)).toMatchObject({ status: 'active', amount_cents: MONTHLY.amount_cents });
    const [change] = requireData(await seller.shop.list(`subscriptions/${seller.id}/changes`));
    expect(change).toMatchObject({ status: 'applied', confirmed_by: { object: 'payment' } });
  });

  it('fails when the free plan is archived, and the current plan is charged', async () => {
    const { seller, free } = await startWithFreePlan();
    requireData(await seller.shop.api.delete(`/v1/commerce/products/${seller.product.id}/plans/${free.id}`));
    expect(await seller.advance(FIRST_DUE)).toMatchObject({ amount_cents: MONTHLY.amount_cents, pending_change: null });
    const [change] = requireData(await seller.shop.list(`subscriptions/${seller.id}/changes`));
    expect(change).toMatchObject({ status: 'failed', failure: { code: 'plan_not_available' } });
  });
});
