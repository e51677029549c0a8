import { type Model, OK, type Outcome, refuse } from './model.js';
import { type Fields, nameOf, type Template } from './template.js';

/** The reason that ends the subscriptions of a forgotten buyer. */
const FORGOTTEN = 'buyer_forgotten';

const isOf = (email: string) => (one: { readonly email: string }) => one.email === email;

/** Buyers: one for each address. */
export class Buyers {
  private readonly names = new Map<string, string>();
  private readonly forgotten = new Set<string>();
  /** When the shop first saw each address. */
  private readonly since = new Map<string, string>();

  constructor(private readonly model: Model) {}

  /** The buyers of carts, offers and orders. */
  get all(): readonly { readonly key: string; readonly createdAt: string; readonly email: string }[] {
    return [...this.since].map(([email, createdAt]) => ({ key: this.keyOf(email), createdAt, email }));
  }

  keyOf(email: string): string {
    return `buy ${email}`;
  }

  setName(email: string, name: string): void {
    this.names.set(email, name);
  }

  /** A cart or an offer names the address. */
  meet(email: string): void {
    if (this.since.has(email)) return;
    this.since.set(email, this.model.now);
    this.touch(email);
  }

  touch(email: string): void {
    this.model.touch(this.keyOf(email));
  }

  refer(email: string): Template {
    return { object: 'buyer', id: nameOf(this.keyOf(email)), ...this.renderPerson(email) };
  }

  /** The person of a forgotten buyer stays forgotten, in later purchases too. */
  private renderPerson(email: string): Fields {
    const isForgotten = this.forgotten.has(email);
    return isForgotten ? { email: null, name: null, erased: true } : { email, name: this.names.get(email)! };
  }

  /** Ends what may still charge the buyer if that is wanted, and else refuses. Ends the offers. */
  forget(email: string, endCharges: boolean): Outcome {
    const { model } = this;
    // The seller can revoke a scheduled cancellation, so such a subscription may charge the buyer too.
    const subscriptions = model.subscriptions.all.filter(
      (one) => one.order.email === email && one.status !== 'cancelled',
    );
    const installments = model.installments.all.filter((one) => one.order.email === email && one.status === 'active');
    const isCharged = subscriptions.length + installments.length > 0;
    if (isCharged && !endCharges) return refuse(422, 'buyer_has_active_charges');
    for (const one of subscriptions) model.subscriptions.cancelNow(one, FORGOTTEN);
    for (const { order } of installments) model.installments.cancel(order);
    for (const offer of model.offers.all.filter(isOf(email)))
      if (offer.status === 'draft' || offer.status === 'sent') model.offers.cancel(offer);
    this.forgotten.add(email);
    this.touch(email);
    const shown = [...model.orders.all, ...model.payments.all, ...model.invoices.all, ...model.offers.all];
    for (const { key } of shown.filter(isOf(email))) model.touch(key);
    return OK;
  }

  render(email: string): Fields {
    const orders = this.model.orders.completed.filter((order) => order.email === email);
    const times = orders.map(({ completedAt }) => completedAt!).sort();
    const subscriptions = this.model.subscriptions.all.filter((one) => one.order.email === email);
    return {
      id: nameOf(this.keyOf(email)),
      object: 'buyer',
      business: { object: 'business', id: nameOf('biz') },
      created_at: this.since.get(email)!,
      ...this.renderPerson(email),
      orders_count: orders.length,
      subscriptions_count: subscriptions.length,
      spent: this.renderSpent(email),
      first_order_at: times[0] ?? null,
      last_order_at: times.at(-1) ?? null,
    };
  }

  private renderSpent(email: string): readonly Template[] {
    const own = this.model.payments.all.filter((one) => one.email === email && one.status === 'succeeded');
    return [...new Set(own.map(({ currency }) => currency))].map((currency) => {
      const sums = this.model.payments.sumFor((one) => one.email === email && one.currency === currency);
      return { currency, amount_cents: sums.paid, refunded_cents: sums.refunded };
    });
  }
}
