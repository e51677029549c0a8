import { CreateCart } from '../../commerce/commands/cart.commands.js';
import { CheckOutCart } from '../../commerce/commands/checkout.commands.js';
import { CreateDiscount } from '../../commerce/commands/discount.commands.js';
import { AddLine } from '../../commerce/commands/line.commands.js';
import { PayOut } from '../../commerce/commands/payout.commands.js';
import { CreateProduct, ReviewProduct } from '../../commerce/commands/product.commands.js';
import { RefundPayment } from '../../commerce/commands/refund.commands.js';
import { ChangePlan, EditSubscription } from '../../commerce/commands/subscription.commands.js';
import { SetTestClock } from '../../commerce/commands/test-clock.commands.js';
import type { PlanTerms } from '../../commerce/domain/payment-plan.js';
import { toIso } from '../../kernel/clock.js';
import type { DemoSession, DemoUser } from './demo-session.js';
import type { SeededChoices } from './seeded-choices.js';

const PRODUCTS = ['Bread baking', 'Watercolour', 'Chess openings', 'Home repair'];
const METHODS = ['tok_ok', 'tok_ok', 'tok_ok', 'tok_ok', 'tok_ok', 'tok_fail_on_renewal', 'tok_declined'];
const DISCOUNT = { code: 'WELCOME', percentOff: 20, duration: 'once', months: null } as const;
/** Both lists have lengths without a common divisor, so that few buyers share a name. */
const FIRST_NAMES = ['Ada', 'Ben', 'Chloe', 'Deniz', 'Emil', 'Fatima', 'Goran', 'Hana', 'Ines', 'Jonas', 'Kofi'];
const LAST_NAMES = ['Berg', 'Costa', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jansen', 'Kaya'];
const CLOCK_DAYS = 7;
const PAYOUT_DAYS = 30;
const PAYOUT_CENTS = 20_000;

interface Offering {
  readonly productId: string;
  readonly planIds: readonly string[];
}

/** A shop in test mode. Its test clock follows the days of the demo. */
export class DemoShop {
  readonly productIds: string[] = [];
  orders = 0;
  private readonly offerings: Offering[] = [];
  private readonly paymentIds: string[] = [];
  private readonly subscriptions: { readonly id: string; readonly offering: Offering }[] = [];
  private actions = 0;

  constructor(
    private readonly session: DemoSession,
    private readonly seller: DemoUser,
    private readonly choices: SeededChoices,
  ) {}

  get subscriptionCount(): number {
    return this.subscriptions.length;
  }

  async open(now: number): Promise<void> {
    await this.setClock(0, now);
    for (const [i, name] of PRODUCTS.entries()) this.offerings.push(await this.offer(name, 1_900 + 1_000 * i));
    await this.session.run(new CreateDiscount(this.createContext('discount'), DISCOUNT));
  }

  async runDay(day: number, now: number): Promise<void> {
    if (day % CLOCK_DAYS === 0) await this.setClock(day, now);
    await this.sell();
    if (this.choices.isOneIn(4)) await this.changeSubscription();
    if (this.choices.isOneIn(12)) await this.refund();
    if (day % PAYOUT_DAYS === PAYOUT_DAYS - 1) await this.payOut(day);
  }

  /** Runs everything that is due by this time, as renewals are. */
  async setClock(day: number, now: number): Promise<void> {
    await this.session.run(new SetTestClock(this.createContext('clock', day), { now: toIso(now), untilReady: true }));
  }

  private async offer(name: string, amountCents: number): Promise<Offering> {
    const content = { name, description: `A course: ${name}.`, metadata: {}, externalReference: null };
    const plans = [
      toPlan('one_time', amountCents * 5, null),
      toPlan('subscription', amountCents, 'month'),
      toPlan('subscription', amountCents * 10, 'year'),
    ];
    const product = await this.session.run(new CreateProduct(this.createContext('product', name), { content, plans }));
    const review = { id: product.id, review: { type: 'ApproveProduct' } as const };
    await this.session.run(new ReviewProduct(this.createContext('review', name), review));
    this.productIds.push(product.id);
    return { productId: product.id, planIds: product.plans.map(({ id }) => id) };
  }

  private async sell(): Promise<void> {
    const n = ++this.orders;
    const offering = this.choices.pick(this.offerings);
    const [planId, methodToken] = [this.choices.pick(offering.planIds), this.choices.pick(METHODS)];
    const discount = this.choices.isOneIn(5) ? { discountCode: DISCOUNT.code } : {};
    const buyer = toBuyer(this.choices.between(1, 150));
    const cart = { businessId: null, fields: { buyer, ...discount } };
    const { document } = await this.session.run(new CreateCart(this.createContext('cart', n), cart));
    const line = { cartId: document.id, productId: offering.productId, planId, quantity: 1 };
    await this.session.run(new AddLine(this.createContext('line', n), line));
    const details = { cartId: document.id, buyer: null, methodToken };
    const order = await this.session.attempt(new CheckOutCart(this.createContext('checkout', n), details));
    this.paymentIds.push(...(order?.payments.map(({ id }) => id) ?? []));
    for (const { subscription } of order?.line_items ?? [])
      if (subscription !== undefined) this.subscriptions.push({ id: subscription.id, offering });
  }

  private async changeSubscription(): Promise<void> {
    if (this.subscriptions.length === 0) return;
    const { id, offering } = this.choices.pick(this.subscriptions);
    const context = this.createContext('change', ++this.actions);
    const planId = offering.planIds[this.choices.between(1, 2)]!;
    const amountCents = this.choices.between(900, 4_900);
    const commands = [
      new ChangePlan(context, { id, planId }),
      new EditSubscription(context, { id, edit: { type: 'ChangePrice', amountCents, currency: 'EUR' } }),
      new EditSubscription(context, { id, edit: { type: 'CancelSubscription', mode: 'at_period_end', reason: null } }),
    ];
    await this.session.attempt(this.choices.pick(commands));
  }

  private async refund(): Promise<void> {
    if (this.paymentIds.length === 0) return;
    const paymentId = this.choices.pick(this.paymentIds);
    const amountCents = this.choices.isOneIn(2) ? null : 500;
    const details = { paymentId, amountCents, currency: null, reason: 'requested_by_customer', note: null } as const;
    await this.session.attempt(new RefundPayment(this.createContext('refund', ++this.actions), details));
  }

  private async payOut(day: number): Promise<void> {
    const payout = { amountCents: PAYOUT_CENTS, currency: 'EUR' };
    await this.session.attempt(new PayOut(this.createContext('payout', day), payout));
  }

  private createContext(...label: readonly (string | number)[]) {
    return this.session.createContext(this.seller, 'shop', ...label);
  }
}

function toBuyer(n: number) {
  const name = `${FIRST_NAMES[n % FIRST_NAMES.length]} ${LAST_NAMES[n % LAST_NAMES.length]}`;
  return { email: `buyer-${n}@example.com`, name };
}

function toPlan(kind: PlanTerms['kind'], amountCents: number, interval: PlanTerms['interval']): PlanTerms {
  return { kind, name: null, amountCents, currency: 'EUR', interval, intervalCount: 1, installmentsCount: null };
}
