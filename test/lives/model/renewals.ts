import { cardOf } from './cards.js';
import type { Terms } from './changes.js';
import { discountAt, discountOn } from './discounts.js';
import { nextRetryOf } from './dunning.js';
import type { Model } from './model.js';
import type { Subscription, Subscriptions } from './subscriptions.js';
import { addInterval, dayOf } from './times.js';

type Result = 'paid' | 'declined' | 'declined hard';

/** The charges of subscriptions after the first one. */
export class Renewals {
  constructor(
    private readonly model: Model,
    private readonly subscriptions: Subscriptions,
  ) {}

  scheduleNext(one: Subscription): void {
    const due = one.periodEnd;
    one.nextBillingAt = due;
    this.subscriptions.changes.move(one, due);
    this.model.touch(one.key);
    this.model.schedule(due, () => {
      const isDue = one.status === 'active' && one.nextBillingAt === due && one.cancelAt === null;
      if (isDue) this.renew(one, due);
    });
  }

  /** Charges the period that starts now, after a pause. Returns whether the subscription runs again. */
  resume(one: Subscription, isManual: boolean): boolean {
    const { now } = this.model;
    if (one.periodEnd > now) {
      this.reactivate(one);
      this.scheduleNext(one);
      return true;
    }
    const anchor = { anchorDay: one.anchorDay, periodEnd: one.periodEnd };
    Object.assign(one, { anchorDay: dayOf(now), periodEnd: now });
    const invoice = this.bill(one);
    if (invoice === null) return this.reactivate(one);
    const result = this.charge(one, invoice);
    if (result === 'paid') return this.reactivate(one);
    if (isManual) {
      this.model.invoices.void(invoice);
      Object.assign(one, anchor);
      return false;
    }
    this.reactivate(one);
    this.startDunning(one, invoice, result);
    return true;
  }

  /** Tries an overdue charge again, at once. Returns whether it was paid. */
  retryNow(one: Subscription): boolean {
    return this.charge(one, this.billAgain(one)) === 'paid';
  }

  private reactivate(one: Subscription): boolean {
    Object.assign(one, { status: 'active', pausedAt: null, resumesAt: null });
    this.model.touch(one.key);
    return true;
  }

  private renew(one: Subscription, due: string): void {
    one.periodEnd = due;
    const invoice = this.bill(one);
    if (invoice === null) return;
    const result = this.charge(one, invoice);
    if (result !== 'paid') this.startDunning(one, invoice, result);
  }

  /** Issues the invoice of the period that starts at `periodEnd`; null when nothing was due, and the period has begun. */
  private bill(one: Subscription): string | null {
    const wanted = this.chooseTerms(one);
    const isFree = this.amountOf(one, wanted).amount === 0;
    const invoice = this.issue(one, isFree ? one : wanted);
    if (!isFree) return invoice;
    this.model.invoices.pay(invoice, null);
    this.advance(one, null);
    return null;
  }

  /** Returns the unpaid invoice of the period, or another one in its place when its change has been withdrawn or failed. */
  private billAgain(one: Subscription): string {
    const dunning = one.dunning!;
    const terms = this.chooseTerms(one);
    const [line] = this.model.invoices.find(dunning.invoice).lines;
    if (line!.plan === terms.plan && line!.unit === terms.amount) return dunning.invoice;
    this.model.invoices.void(dunning.invoice);
    dunning.invoice = this.issue(one, terms);
    return dunning.invoice;
  }

  private chooseTerms(one: Subscription): Terms {
    const { changes } = this.subscriptions;
    const pending = changes.pendingOf(one);
    if (pending?.type === 'plan' && !pending.to.plan.isActive) changes.fail(one, 'plan_not_available');
    return changes.pendingOf(one)?.to ?? one;
  }

  private issue(one: Subscription, terms: Terms): string {
    const { amount, discount } = this.amountOf(one, terms);
    const { line, order } = one;
    const productName = this.model.catalogue.productOf(terms.plan).name;
    const invoice = this.model.invoices.issue({
      ...{ kind: 'renewal', order: order.key, subscription: one.key, buyer: order.buyer, currency: order.currency },
      lines: [{ ...line, productName, plan: terms.plan, quantity: 1, unit: terms.amount, discount, amount }],
    });
    return invoice.key;
  }

  private amountOf(one: Subscription, terms: Terms): { readonly amount: number; readonly discount: number } {
    const discount = discountOn(terms.amount, discountAt(one.order.discount, one.createdAt, one.periodEnd));
    return { amount: terms.amount - discount, discount };
  }

  private charge(one: Subscription, invoiceKey: string): Result {
    const { payments, invoices } = this.model;
    const [line] = invoices.find(invoiceKey).lines;
    const payment = payments.start({
      ...{ kind: 'renewal', order: one.order.key, subscription: one.key, invoice: invoiceKey, buyer: one.order.buyer },
      ...{ amount: line!.amount, currency: one.order.currency, token: one.token },
    });
    const card = cardOf(one.token);
    if (card.later === 'declined') {
      payments.fail(payment);
      return card.hard ? 'declined hard' : 'declined';
    }
    payments.succeed(payment);
    invoices.pay(invoiceKey, payment.key);
    this.subscriptions.changes.apply(one, payment.key);
    this.advance(one, payment.key);
    return 'paid';
  }

  private advance(one: Subscription, payment: string | null): void {
    const { plan, periodEnd, anchorDay } = one;
    Object.assign(one, { status: 'active', dunning: null, periodPayment: payment });
    one.periodEnd = addInterval(periodEnd, plan.interval!, plan.count, anchorDay);
    one.anchorDay = anchorOf(one);
    this.scheduleNext(one);
  }

  private startDunning(one: Subscription, invoice: string, result: Result): void {
    one.dunning = { invoice, firstFailedAt: this.model.now, retries: 0 };
    this.awaitRetry(one, result);
  }

  private awaitRetry(one: Subscription, result: Result): void {
    const dunning = one.dunning!;
    const next = result === 'declined hard' ? null : nextRetryOf(dunning);
    if (next === null) return this.giveUp(one);
    Object.assign(one, { status: 'past_due', nextBillingAt: next });
    this.subscriptions.changes.move(one, next);
    this.model.touch(one.key);
    this.model.schedule(next, () => {
      if (one.dunning !== dunning || one.status !== 'past_due') return;
      dunning.retries++;
      const again = this.charge(one, this.billAgain(one));
      if (again !== 'paid') this.awaitRetry(one, again);
    });
  }

  private giveUp(one: Subscription): void {
    this.model.invoices.writeOff(one.dunning!.invoice);
    this.subscriptions.changes.fail(one, 'payment_failed');
    this.subscriptions.end(one, this.model.now, 'payment_failed');
  }
}

/** Only months have ends that are clamped, so that the day has to be kept. */
export function anchorOf({
  plan,
  periodEnd,
  anchorDay,
}: Pick<Subscription, 'plan' | 'periodEnd' | 'anchorDay'>): number {
  return plan.interval === 'month' || plan.interval === 'year' ? anchorDay : dayOf(periodEnd);
}
