import { CREATED, type Model, type Outcome, refuse } from './model.js';
import { sumOf } from './orders.js';
import type { Payment } from './payments.js';
import { type Fields, nameOf, Open } from './template.js';

export interface Payout {
  readonly key: string;
  readonly createdAt: string;
  readonly amount: number;
  readonly currency: string;
}

/** The seller's balance of each currency, and the payouts from it. */
export class Balance {
  readonly payouts: Payout[] = [];

  constructor(private readonly model: Model) {}

  /** Net of succeeded payments, less refunds that have not failed, disputes that are not won, and payouts. */
  amountOf(currency: string): number {
    const { payments, refunds } = this.model;
    const sold = payments.all.filter((one) => one.currency === currency && one.status === 'succeeded');
    const refunded = refunds.all.filter((one) => one.payment.currency === currency && one.status !== 'failed');
    return (
      sumOf(sold.map(({ amount, fee }) => amount - fee)) -
      sumOf(refunded.map(({ amount }) => amount)) -
      this.model.disputes.withheldFrom(currency) -
      sumOf(this.payouts.filter((one) => one.currency === currency).map(({ amount }) => amount))
    );
  }

  /** A refund may use the balance and the fees of every payment refunded so far, and of its own. */
  limitOf({ key, currency }: Payment): number {
    const isRefunded = (payment: Payment) =>
      this.model.refunds.all.some((one) => one.payment === payment && one.status !== 'failed');
    const refunded = this.model.payments.all.filter(
      (payment) => payment.currency === currency && (payment.key === key || isRefunded(payment)),
    );
    return this.amountOf(currency) + sumOf(refunded.map(({ fee }) => fee));
  }

  payOut(amount: number, currency: string): { readonly outcome: Outcome; readonly payout: Payout | null } {
    if (amount > this.amountOf(currency)) return { outcome: refuse(422, 'insufficient_seller_balance'), payout: null };
    const payout = { key: this.model.newKey('po'), createdAt: this.model.now, amount, currency };
    this.payouts.push(payout);
    this.model.touch(payout.key);
    return { outcome: CREATED, payout };
  }

  renderPayout({ key, createdAt, amount, currency }: Payout): Fields {
    return {
      ...{ id: nameOf(key), object: 'payout', business: { object: 'business', id: nameOf('biz') } },
      ...{ created_at: createdAt, amount_cents: amount, currency, status: 'paid' },
    };
  }

  render(): Fields {
    const currencies = new Set(
      this.model.payments.all.filter(({ status }) => status === 'succeeded').map(({ currency }) => currency),
    );
    const balances = [...currencies].sort().map((currency) => ({
      currency,
      amount_cents: this.amountOf(currency),
      pending_cents: this.pendingOf(currency),
    }));
    return { object: 'balance', balances };
  }

  /** The contract leaves open whether a refund or a dispute is taken from the money that is not available yet. */
  private pendingOf(currency: string): Open | number {
    const pending = this.model.payments.all.filter(
      (one) => one.currency === currency && one.status === 'succeeded' && one.cashFlowAt === null,
    );
    const most = sumOf(pending.map(({ amount, fee }) => amount - fee));
    const { payments, disputes } = this.model;
    const taken = sumOf(pending.map((one) => one.amount - payments.remainingOf(one) + disputes.sumOf(one)));
    // It is a part of the amount, which may be below zero.
    const limit = (cents: number) => Math.max(0, Math.min(cents, this.amountOf(currency)));
    if (taken === 0) return limit(most);
    const [from, to] = [limit(most - taken), limit(most)];
    return new Open((value) => typeof value === 'number' && value >= from && value <= to);
  }
}
