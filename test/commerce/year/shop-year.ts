import { DAY_MS, toIso } from '../../../src/kernel/clock.js';
import { RandomChoices } from '../../faults/random-choices.js';
import type { Api, ApiResponse } from '../../support/api.js';
import { SeededRandom } from '../../support/clock.js';
import type { CommerceFixture } from '../commerce-fixture.js';

const START = Date.parse('2030-01-01T09:00:00.000Z');
const YEAR_DAYS = 365;
const STEP_DAYS = 15;
/** No new subscriptions start in the last quarter. */
const SELLING_DAYS = 270;

const TOKENS = ['tok_ok', 'tok_ok', 'tok_ok', 'tok_fail_on_renewal', 'tok_pending', 'tok_timeout', 'tok_declined'];
const LATER_TOKENS = ['tok_ok', 'tok_ok', 'tok_fail_on_renewal', 'tok_insufficient_funds', 'tok_lost_card'];
const DISCOUNTS = [
  { code: 'FREE-MONTH', percent_off: 100, duration: 'once' },
  { code: 'HALF-SPRING', percent_off: 50, duration: 'repeating', months: 3 },
  { code: 'TENTH', percent_off: 10, duration: 'forever' },
];
const CYCLES = [
  { name: 'Monthly', amount_cents: 4900, interval: 'month' },
  { name: 'Patron', amount_cents: 9999, interval: 'month' },
  { name: 'Fortnightly', amount_cents: 2501, interval: 'week', interval_count: 2 },
  { name: 'Yearly', amount_cents: 49000, interval: 'year' },
];
/** The plan of a line that some sales have beside the subscription. */
const INSTALLMENTS = { name: 'In parts', amount_cents: 1999, interval: 'month', installments_count: 4 };
const PRICES = [1, 3333, 5100, 12345];

/** The steps without ids: the same seed gives the same steps. */
export type Step = readonly [action: string, subject: number, status: number, code: string | null];

interface Offering {
  readonly productId: string;
  readonly planIds: readonly string[];
  readonly installmentPlanId: string;
}

/**
 * A year of a shop in test mode: buyers and the seller act between the steps of the test clock, each on a random
 * subscription.
 */
export class ShopYear {
  readonly steps: Step[] = [];
  /** The subscriptions in the order in which they were sold. */
  readonly subscriptionIds: string[] = [];
  private readonly choices: RandomChoices;
  private readonly paymentIds: string[] = [];
  private now = START;
  private sold = 0;
  private acted = 0;

  private constructor(
    private readonly shop: CommerceFixture,
    private readonly random: SeededRandom,
    private readonly size: number,
    private readonly offering: Offering,
  ) {
    this.choices = new RandomChoices(random);
  }

  static async play(shop: CommerceFixture, seed: number, size: number): Promise<ShopYear> {
    await setClock(shop.api, START);
    const product = await shop.createApprovedProduct({
      plans: [
        { kind: 'installment', currency: 'EUR', ...INSTALLMENTS },
        ...CYCLES.map((cycle) => ({ kind: 'subscription', currency: 'EUR', ...cycle })),
      ],
    });
    for (const discount of DISCOUNTS) await shop.api.post('/v1/commerce/discounts', discount);
    const [installmentPlanId, ...planIds] = product.plans.map(({ id }: { id: string }) => id);
    const year = new ShopYear(shop, new SeededRandom(seed), size, {
      productId: product.id,
      planIds,
      installmentPlanId,
    });
    await year.play();
    return year;
  }

  private async play(): Promise<void> {
    for (let day = 0; day <= YEAR_DAYS; day += STEP_DAYS) {
      this.now = START + day * DAY_MS;
      await setClock(this.shop.api, this.now);
      for (; this.sold < Math.min(1, (day + STEP_DAYS) / SELLING_DAYS) * this.size; this.sold++) await this.sell();
      await this.findNewSales();
      const actions = Math.ceil(this.subscriptionIds.length / 3);
      for (let n = 0; n < actions; n++) await this.act();
    }
    await this.showLatest();
  }

  /** Setting the clock to the same time waits until the lists show all that was done. */
  private showLatest(): Promise<void> {
    return setClock(this.shop.api, this.now);
  }

  /** Lists the subscriptions and payments since the last step, in an order that follows from the seed. */
  private async findNewSales(): Promise<void> {
    await this.showLatest();
    await this.addNew('subscriptions', this.subscriptionIds, ({ id }) => id);
    const orderOf = ({ subscription }: { subscription: { id: string } | null }) =>
      String(this.subscriptionIds.indexOf(subscription?.id ?? '') + 1).padStart(6, '0');
    await this.addNew(
      'payments',
      this.paymentIds,
      (payment) => `${payment.created_at} ${orderOf(payment)} ${payment.order.id} ${payment.id}`,
    );
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the resources of several lists
  private async addNew(path: string, ids: string[], toKey: (item: any) => string): Promise<void> {
    const known = new Set(ids);
    const added = (await listAll(this.shop, path)).filter(({ id }) => !known.has(id));
    ids.push(...added.sort((a, b) => (toKey(a) < toKey(b) ? -1 : 1)).map(({ id }) => id));
  }

  private async sell(): Promise<void> {
    const { api } = this.shop;
    const discount = this.choices.isOneIn(3) ? { discount_code: this.choices.pick(DISCOUNTS).code } : {};
    const buyer = { email: `buyer-${this.sold}@example.com` };
    const cart = (await api.post('/v1/commerce/carts', { buyer, ...discount })).body.data;
    const line = { product_id: this.offering.productId, plan_id: this.choices.pick(this.offering.planIds) };
    await this.shop.addLine(cart.id, line);
    if (this.sold % 3 === 0)
      await this.shop.addLine(cart.id, { ...line, plan_id: this.offering.installmentPlanId, quantity: 2 });
    this.record('sell', this.sold, await this.shop.checkOut(cart.id, this.choices.pick(TOKENS)));
  }

  private async act(): Promise<void> {
    const actions = Object.entries(this.actions);
    const [name, perform] = actions[this.acted++ % actions.length]!;
    const subject = Math.floor(this.random.next() * this.subscriptionIds.length);
    this.record(name, subject, await perform(this.subscriptionIds[subject]!));
  }

  private readonly actions: Readonly<Record<string, (id: string) => Promise<ApiResponse>>> = {
    changePlan: (id) => this.post(`subscriptions/${id}/plan`, { plan_id: this.choices.pick(this.offering.planIds) }),
    changePrice: (id) => this.post(`subscriptions/${id}/price`, { amount_cents: this.choices.pick(PRICES) }),
    withdraw: (id) => this.shop.api.delete(`/v1/commerce/subscriptions/${id}/pending-change`),
    pause: (id) => this.post(`subscriptions/${id}/pause`, this.choices.isOneIn(2) ? {} : { resumes_at: this.soon(40) }),
    resume: (id) => this.post(`subscriptions/${id}/resume`),
    cancel: (id) => this.post(`subscriptions/${id}/cancel`, this.choices.isOneIn(3) ? { mode: 'immediately' } : {}),
    uncancel: (id) => this.post(`subscriptions/${id}/uncancel`),
    changeCard: (id) =>
      this.shop.api.put(`/v1/commerce/subscriptions/${id}/payment-method`, { token: this.choices.pick(LATER_TOKENS) }),
    refundWhole: () => this.post(`payments/${this.choices.pick(this.paymentIds)}/refunds`, { reason: 'duplicate' }),
    refundPart: () => this.post(`payments/${this.choices.pick(this.paymentIds)}/refunds`, { amount_cents: 777 }),
    payOut: () => this.post('payouts', { amount_cents: 2000, currency: 'EUR' }),
  };

  private post(path: string, body?: object): Promise<ApiResponse> {
    return this.shop.api.post(`/v1/commerce/${path}`, body);
  }

  private soon(days: number): string {
    return toIso(this.now + Math.ceil(this.random.next() * days) * DAY_MS);
  }

  /** @throws for an answer that is neither a success nor a refusal by a rule of the business */
  private record(action: string, subject: number, { status, body, text }: ApiResponse): void {
    if (status >= 300 && ![402, 409, 422].includes(status)) throw new Error(`${action}: ${status} ${text}`);
    this.steps.push([action, subject, status, body.code ?? null]);
  }
}

/** Repeats the request while the service still runs what is due. */
async function setClock(api: Api, at: number): Promise<void> {
  for (;;) {
    const { status, text } = await api.put('/v1/commerce/test-clock', { now: toIso(at) });
    if (status === 200) return;
    if (status !== 503) throw new Error(`${status} ${text}`);
  }
}

/** Returns all items of a page list, oldest first. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the resources of several lists
export async function listAll(shop: CommerceFixture, path: string): Promise<any[]> {
  const items = [];
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { status, body, text } = await shop.list(`${path}?per_page=100&page=${page}`);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    items.push(...body.data);
    pages = body.pagination.total_pages;
  }
  return items.reverse();
}
