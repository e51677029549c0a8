import { cardOf } from './cards.js';
import { discountAt, discountOn } from './discounts.js';
import { type Dunning, nextRetryOf } from './dunning.js';
import { type Model, OK, type Outcome, refuse } from './model.js';
import type { Line, Order } from './orders.js';
import { Open, type Template } from './template.js';
import { addInterval, dayOf } from './times.js';

export interface InstallmentPlan {
  readonly order: Order;
  readonly line: Line;
  readonly startedAt: string;
  token: string;
  paid: number;
  /** When the next part is due, or was due before its charge failed. */
  partDueAt: string;
  nextDueAt: string | null;
  status: 'active' | 'completed' | 'cancelled' | 'uncollectible';
  dunning: Dunning | null;
  hasFailed: boolean;
}

/** The contract does not say how failed parts and the rest of an ended plan are counted. */
const A_NUMBER = new Open((value) => typeof value === 'number');

/** Lines that are paid in parts. The first part is paid at the checkout. */
export class Installments {
  readonly all: InstallmentPlan[] = [];

  constructor(private readonly model: Model) {}

  start(order: Order, line: Line): void {
    const { now } = this.model;
    const plan: InstallmentPlan = {
      ...{
        order,
        line,
        startedAt: now,
        token: order.token,
        paid: 1,
        partDueAt: now,
        nextDueAt: null,
        status: 'active',
        dunning: null,
      },
      hasFailed: false,
    };
    this.all.push(plan);
    this.scheduleNext(plan, now);
  }

  /** @param from when the last part was due */
  private scheduleNext(one: InstallmentPlan, from: string): void {
    const { plan } = one.line;
    if (one.paid === plan.parts) {
      Object.assign(one, { nextDueAt: null, status: 'completed' });
      return;
    }
    const due = addInterval(from, plan.interval!, plan.count, dayOf(one.startedAt));
    Object.assign(one, { partDueAt: due, nextDueAt: due });
    this.model.schedule(due, () => {
      if (one.status === 'active' && one.nextDueAt === due) this.chargePart(one, due);
    });
  }

  private chargePart(one: InstallmentPlan, due: string): void {
    const { order, line } = one;
    const { amount, discount } = this.amountOf(one, due);
    const invoice = this.model.invoices.issue({
      ...{ kind: 'renewal', order: order.key, subscription: null, buyer: order.buyer, currency: order.currency },
      lines: [{ ...line, discount, amount }],
    }).key;
    this.model.touch(order.key);
    if (amount > 0) return this.attempt(one, invoice, due);
    this.model.invoices.pay(invoice, null);
    one.paid++;
    this.scheduleNext(one, due);
  }

  private attempt(one: InstallmentPlan, invoice: string, due: string, isRequested = false): void {
    const { payments, invoices } = this.model;
    const { order } = one;
    const payment = payments.start({
      ...{ kind: 'installment', order: order.key, subscription: null, invoice, buyer: order.buyer },
      ...{ amount: invoices.find(invoice).lines[0]!.amount, currency: order.currency, token: one.token },
    });
    const card = cardOf(one.token);
    if (card.later !== 'declined') {
      invoices.pay(invoice, payments.succeed(payment));
      one.dunning = null;
      one.paid++;
      return this.scheduleNext(one, due);
    }
    payments.fail(payment);
    if (isRequested) return;
    one.hasFailed = true;
    one.dunning ??= { invoice, firstFailedAt: this.model.now, retries: 0 };
    this.awaitRetry(one, due, card.hard === true);
  }

  private awaitRetry(one: InstallmentPlan, due: string, isHard: boolean): void {
    const dunning = one.dunning!;
    const next = isHard ? null : nextRetryOf(dunning);
    one.nextDueAt = next;
    if (next === null) {
      one.status = 'uncollectible';
      return this.model.invoices.writeOff(dunning.invoice);
    }
    this.model.schedule(next, () => {
      if (one.dunning !== dunning || one.status !== 'active') return;
      dunning.retries++;
      this.attempt(one, dunning.invoice, due);
    });
  }

  findFor({ key }: Order): InstallmentPlan | undefined {
    return this.all.find(({ order }) => order.key === key);
  }

  cancel(order: Order): Outcome {
    const one = this.findFor(order);
    if (one === undefined) return refuse(404, 'not_found');
    if (one.status === 'cancelled') return OK;
    if (one.status !== 'active') return refuse(422, 'installments_ended');
    this.end(one);
    return OK;
  }

  /** An order that is paid back in full has no further installments. */
  review(): void {
    for (const one of this.all.filter(({ status }) => status === 'active')) {
      const { paid, refunded } = this.model.payments.sumFor(({ order }) => order === one.order.key);
      if (paid > 0 && paid === refunded) this.end(one);
    }
  }

  private end(one: InstallmentPlan): void {
    if (one.dunning !== null) this.model.invoices.void(one.dunning.invoice);
    Object.assign(one, { status: 'cancelled', nextDueAt: null, dunning: null });
    this.model.touch(one.order.key);
  }

  changeCard(order: Order, token: string): Outcome {
    const one = this.findFor(order);
    if (one === undefined) return refuse(404, 'not_found');
    if (one.status !== 'active') return refuse(422, 'installments_ended');
    one.token = token;
    if (one.dunning === null) return OK;
    const paid = one.paid;
    this.attempt(one, one.dunning.invoice, one.partDueAt, true);
    return one.paid > paid ? OK : refuse(402, 'payment_failed');
  }

  /** Returns what the order shows of its installments. */
  renderFor(order: Order): Template {
    const one = this.findFor(order);
    if (one === undefined) return null;
    const { paid, hasFailed, nextDueAt, status, line } = one;
    const hasEnded = status === 'cancelled' || status === 'uncollectible';
    return {
      count: line.plan.parts,
      paid,
      failed: hasFailed ? A_NUMBER : 0,
      remaining_amount_cents: hasEnded ? A_NUMBER : this.remainingOf(one),
      next_due_at: nextDueAt,
      status,
    };
  }

  private remainingOf(one: InstallmentPlan): number {
    const { plan } = one.line;
    let [remaining, due] = [0, one.partDueAt];
    for (let part = one.paid; part < plan.parts!; part++) {
      remaining += this.amountOf(one, due).amount;
      due = addInterval(due, plan.interval!, plan.count, dayOf(one.startedAt));
    }
    return remaining;
  }

  private amountOf({ order, line, startedAt }: InstallmentPlan, due: string) {
    const subtotal = line.unit * line.quantity;
    const discount = discountOn(subtotal, discountAt(order.discount, startedAt, due));
    return { amount: subtotal - discount, discount };
  }
}
