import { type Model, OK, type Outcome, refuse } from './model.js';
import { type Fields, nameOf, type Template } from './template.js';

/** The reason that ends the subscriptions of a forgotten buyer. */
const FORGOTTEN = 'buyer_forgotten';

/** Buyers: one for each address, until the shop forgets it. Who gives the address then is another person. */
export class Buyers {
  private readonly names = new Map<string, string>();
  private readonly forgotten = new Set<string>();
  /** When the shop first saw each person. */
  private readonly since = new Map<string, string>();

  constructor(private readonly model: Model) {}

  /** The buyers of carts, offers and orders. */
  get all(): readonly { readonly key: string; readonly createdAt: string; readonly person: string }[] {
    return [...this.since].map(([person, createdAt]) => ({ key: this.keyOf(person), createdAt, person }));
  }

  /** Returns the person who has the address now: the address, and how often it was forgotten. */
  personOf(email: string): string {
    let erasures = 0;
    while (this.forgotten.has(`${email} ${erasures}`)) erasures++;
    return `${email} ${erasures}`;
  }

  keyOf(person: string): string {
    return `buy ${person}`;
  }

  setName(email: string, name: string): void {
    this.names.set(this.personOf(email), name);
  }

  /** A cart or an offer names the address. */
  meet(email: string): void {
    const person = this.personOf(email);
    if (this.since.has(person)) return;
    this.since.set(person, this.model.now);
    this.touch(person);
  }

  touch(person: string): void {
    this.model.touch(this.keyOf(person));
  }

  refer(person: string): Template {
    return { object: 'buyer', id: nameOf(this.keyOf(person)), ...this.renderPerson(person) };
  }

  isForgotten(person: string): boolean {
    return this.forgotten.has(person);
  }

  private renderPerson(person: string): Fields {
    if (this.isForgotten(person)) return { email: null, name: null, erased: true };
    return { email: person.split(' ')[0]!, name: this.names.get(person)! };
  }

  /** Ends what may still charge the buyer if that is wanted, and else refuses. Ends the offers. */
  forget(person: string, endCharges: boolean): Outcome {
    const { model } = this;
    // The seller can revoke a scheduled cancellation, so such a subscription may charge the buyer too.
    const subscriptions = model.subscriptions.all.filter(
      (one) => one.order.buyer === person && one.status !== 'cancelled',
    );
    const installments = model.installments.all.filter((one) => one.order.buyer === person && one.status === 'active');
    const isCharged = subscriptions.length + installments.length > 0;
    if (isCharged && !endCharges) return refuse(422, 'buyer_has_active_charges');
    for (const one of subscriptions) model.subscriptions.cancelNow(one, FORGOTTEN);
    for (const { order } of installments) model.installments.cancel(order);
    for (const offer of model.offers.all.filter(({ buyer }) => buyer === person))
      if (offer.status === 'draft' || offer.status === 'sent') model.offers.cancel(offer);
    this.forgotten.add(person);
    this.touch(person);
    const sales = [...model.orders.all, ...model.offers.all].filter(({ buyer }) => buyer === person);
    const charges = [...model.payments.all, ...model.invoices.all].filter(({ buyer }) => buyer === person);
    for (const { key } of [...sales, ...charges]) model.touch(key);
    return OK;
  }

  render(person: string): Fields {
    const orders = this.model.orders.completed.filter((order) => order.buyer === person);
    const times = orders.map(({ completedAt }) => completedAt!).sort();
    const subscriptions = this.model.subscriptions.all.filter((one) => one.order.buyer === person);
    return {
      id: nameOf(this.keyOf(person)),
      object: 'buyer',
      business: { object: 'business', id: nameOf('biz') },
      created_at: this.since.get(person)!,
      ...this.renderPerson(person),
      orders_count: orders.length,
      subscriptions_count: subscriptions.length,
      spent: this.renderSpent(person),
      first_order_at: times[0] ?? null,
      last_order_at: times.at(-1) ?? null,
    };
  }

  private renderSpent(person: string): readonly Template[] {
    const own = this.model.payments.all.filter((one) => one.buyer === person && one.status === 'succeeded');
    return [...new Set(own.map(({ currency }) => currency))].map((currency) => {
      const sums = this.model.payments.sumFor((one) => one.buyer === person && one.currency === currency);
      return { currency, amount_cents: sums.paid, refunded_cents: sums.refunded };
    });
  }
}
