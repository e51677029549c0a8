import type { Model } from './model.js';
import type { Line, Order } from './orders.js';
import type { User } from './people.js';
import type { Subscription } from './subscriptions.js';

interface Entitlement {
  readonly product: string;
  readonly email: string;
  /** The user who has verified the address of the buyer; null until somebody has. */
  user: User | null;
  readonly order: Order;
  readonly subscription: Subscription | null;
  hasEnded: boolean;
}

/** The purchases that let people into the communities of a product. */
export class Entitlements {
  private readonly all: Entitlement[] = [];

  constructor(private readonly model: Model) {}

  grant(order: Order, line: Line): void {
    const subscription = line.subscription === null ? null : this.model.subscriptions.find(line.subscription);
    const holder = this.model.people.findHolder(order.email);
    const user = holder === undefined || holder.subject === null ? null : holder;
    this.all.push({ product: line.product, email: order.email, user, order, subscription, hasEnded: false });
  }

  /** Gives the entitlements of an address that nobody had verified to the first who does. */
  claim(email: string, user: User): void {
    for (const one of this.all) if (one.email === email && one.user === null) one.user = user;
  }

  has(user: User, product: string): boolean {
    return this.all.some((one) => one.user === user && one.product === product && !one.hasEnded);
  }

  /** Ends what is no purchase any more, and the memberships that began with it. A purchase can be one again. */
  review(): void {
    for (const one of this.all) one.hasEnded = this.isOver(one);
    this.model.members.endPurchased();
  }

  private isOver({ order, subscription }: Entitlement): boolean {
    if (subscription === null) return this.isPaidBack(this.paymentsOf(order)) || this.isLost(this.paymentsOf(order));
    if (subscription.status === 'cancelled' || this.isLostSubscription(subscription)) return true;
    if (subscription.cancelAt === null) return false;
    const ofPeriod = [order.payments.at(-1) ?? null, subscription.periodPayment];
    return ofPeriod.some((key) => key !== null && this.isPaidBack([key]));
  }

  /** A renewal that is paid later entitles again. */
  private isLostSubscription({ order, key, periodPayment }: Subscription): boolean {
    const renewals = this.model.payments.all.filter((one) => one.subscription === key && one.status === 'succeeded');
    const renewedAt = renewals.find((one) => one.key === periodPayment)?.createdAt;
    return this.model.disputes.isLost([...order.payments, ...renewals.map((one) => one.key)], renewedAt);
  }

  private isLost(payments: readonly string[]): boolean {
    return this.model.disputes.isLost(payments);
  }

  private paymentsOf({ key }: Order): readonly string[] {
    return this.model.payments.all
      .filter((one) => one.order === key && one.status === 'succeeded')
      .map((one) => one.key);
  }

  private isPaidBack(payments: readonly string[]): boolean {
    if (payments.length === 0) return false;
    const { paid, refunded } = this.model.payments.sumFor(({ key }) => payments.includes(key));
    return refunded === paid;
  }
}
