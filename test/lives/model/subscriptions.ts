import type { Plan } from './catalogue.js';
import { type Change, Changes } from './changes.js';
import type { Dunning } from './dunning.js';
import type { Model } from './model.js';
import type { Line, Order } from './orders.js';
import { anchorOf, Renewals } from './renewals.js';
import { type Fields, nameOf, refer } from './template.js';
import { addInterval, dayOf } from './times.js';

export interface Subscription {
  readonly key: string;
  readonly createdAt: string;
  readonly order: Order;
  readonly line: Line;
  plan: Plan;
  amount: number;
  token: string;
  status: 'active' | 'past_due' | 'paused' | 'cancelled';
  /** The day of the month that renewals keep. */
  anchorDay: number;
  /** The end of the period that is paid. */
  periodEnd: string;
  /** The payment of the current period; null when nothing was due. */
  periodPayment: string | null;
  nextBillingAt: string | null;
  pausedAt: string | null;
  resumesAt: string | null;
  cancelAt: string | null;
  cancelledAt: string | null;
  reason: string | null;
  dunning: Dunning | null;
  readonly changes: Change[];
}

/** Subscriptions, from the completion of their order to their cancellation. */
export class Subscriptions {
  readonly all: Subscription[] = [];
  readonly changes: Changes;
  readonly renewals: Renewals;

  constructor(private readonly model: Model) {
    this.changes = new Changes(model);
    this.renewals = new Renewals(model, this);
  }

  find(key: string): Subscription {
    return this.all.find((one) => one.key === key)!;
  }

  start(order: Order, line: Line): Subscription {
    const { now } = this.model;
    const { plan } = line;
    const anchorDay = dayOf(now);
    const subscription: Subscription = {
      ...{ key: this.model.newKey('ps'), createdAt: now, order, line, plan, amount: line.unit, token: order.token },
      ...{ status: 'active', anchorDay, periodEnd: addInterval(now, plan.interval!, plan.count, anchorDay) },
      ...{ nextBillingAt: null, pausedAt: null, resumesAt: null, cancelAt: null, cancelledAt: null, reason: null },
      ...{ dunning: null, changes: [], periodPayment: order.payments.at(-1) ?? null },
    };
    subscription.anchorDay = anchorOf(subscription);
    this.all.push(subscription);
    this.renewals.scheduleNext(subscription);
    this.model.touch(subscription.key);
    return subscription;
  }

  cancelNow(subscription: Subscription, reason: string | null): void {
    const { now } = this.model;
    this.changes.withdraw(subscription);
    if (subscription.dunning !== null) this.model.invoices.void(subscription.dunning.invoice);
    this.end(subscription, now, reason);
  }

  end(subscription: Subscription, at: string, reason: string | null): void {
    const stopped = { nextBillingAt: null, pausedAt: null, resumesAt: null, dunning: null };
    Object.assign(subscription, stopped, { status: 'cancelled', cancelAt: at, cancelledAt: at, reason });
    this.model.touch(subscription.key);
  }

  /** Ends the subscription at the end of its paid period, unless that was revoked. */
  scheduleEnd(subscription: Subscription, cancelAt: string): void {
    this.model.schedule(cancelAt, () => {
      if (subscription.cancelAt !== cancelAt || subscription.status === 'cancelled') return;
      this.end(subscription, cancelAt, subscription.reason);
    });
  }

  render(one: Subscription): Fields {
    return {
      id: nameOf(one.key),
      object: 'subscription',
      business: { object: 'business', id: nameOf('biz') },
      created_at: one.createdAt,
      status: one.status,
      order: refer('order', one.order.key),
      line_item: refer('line_item', one.line.key),
      plan: refer('payment_plan', one.plan.key),
      amount_cents: one.amount,
      currency: one.plan.currency,
      next_billing_at: one.nextBillingAt,
      paused_at: one.pausedAt,
      resumes_at: one.resumesAt,
      cancel_at: one.cancelAt,
      cancelled_at: one.cancelledAt,
      cancellation_reason: one.reason,
      pending_change: this.changes.renderPending(this.changes.pendingOf(one)),
    };
  }
}
