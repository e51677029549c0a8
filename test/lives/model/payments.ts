import type { Model } from './model.js';
import { refundStatus, sumOf } from './orders.js';
import { type Fields, nameOf, refer, SOME_TEXT } from './template.js';
import { addDays } from './times.js';

/** The simulated gateway keeps 3 % of a payment, rounded half up. */
const FEE_PERCENT = 3;
/** The days until the money of a payment is available. */
const FUNDS_DAYS = 7;

export interface Payment {
  readonly key: string;
  readonly createdAt: string;
  readonly kind: 'initial' | 'renewal' | 'installment';
  readonly order: string;
  readonly subscription: string | null;
  invoice: string | null;
  /** The person who had the address then. */
  readonly buyer: string;
  readonly amount: number;
  readonly currency: string;
  readonly token: string;
  status: 'pending' | 'succeeded' | 'failed';
  fee: number;
  cashFlowAt: string | null;
}

export type NewPayment = Omit<Payment, 'key' | 'createdAt' | 'status' | 'fee' | 'cashFlowAt'>;

/** Payments: one for each attempt. */
export class Payments {
  readonly all: Payment[] = [];

  constructor(private readonly model: Model) {}

  find(key: string): Payment {
    return this.all.find((payment) => payment.key === key)!;
  }

  listOf(order: string): readonly Payment[] {
    return this.all.filter((payment) => payment.order === order);
  }

  start(payment: NewPayment): Payment {
    const { now } = this.model;
    const started: Payment = {
      ...payment,
      ...{ key: this.model.newKey('pay'), createdAt: now, status: 'pending', fee: 0, cashFlowAt: null },
    };
    this.all.push(started);
    this.model.touch(started.key, payment.order);
    return started;
  }

  fail(payment: Payment): void {
    payment.status = 'failed';
    this.model.touch(payment.key);
  }

  succeed(payment: Payment): string {
    payment.status = 'succeeded';
    payment.fee = Math.floor((payment.amount * FEE_PERCENT) / 100 + 0.5);
    const availableAt = addDays(this.model.now, FUNDS_DAYS);
    this.model.schedule(availableAt, () => {
      payment.cashFlowAt = availableAt;
      this.model.touch(payment.key);
    });
    this.model.disputes.expectFor(payment);
    this.model.buyers.touch(payment.buyer);
    this.model.touch(payment.key, payment.order);
    return payment.key;
  }

  /** Returns what these payments brought, and what of it was paid back. */
  sumFor(matches: (payment: Payment) => boolean): { readonly paid: number; readonly refunded: number } {
    const paid = this.all.filter((payment) => payment.status === 'succeeded' && matches(payment));
    return {
      paid: sumOf(paid.map(({ amount }) => amount)),
      refunded: sumOf(paid.map(({ key }) => this.model.refunds.sumOf(key, 'succeeded'))),
    };
  }

  /** Returns the amount that is not paid back, and that no refund is about to pay back. */
  remainingOf({ key, status, amount }: Payment): number {
    if (status !== 'succeeded') return 0;
    return amount - this.model.refunds.sumOf(key, 'succeeded') - this.model.refunds.sumOf(key, 'pending');
  }

  /** Returns the amount that can still be paid back: what disputes leave of it. */
  refundableOf(payment: Payment): number {
    return Math.max(0, this.remainingOf(payment) - this.model.disputes.sumOf(payment));
  }

  render(payment: Payment): Fields {
    const { status, amount } = payment;
    const captured = status === 'succeeded' ? amount : 0;
    const refunded = this.model.refunds.sumOf(payment.key, 'succeeded');
    return {
      id: nameOf(payment.key),
      object: 'payment',
      business: { object: 'business', id: nameOf('biz') },
      created_at: payment.createdAt,
      status,
      refund_status: refundStatus(captured, refunded),
      kind: payment.kind,
      order: refer('order', payment.order),
      subscription: refer('subscription', payment.subscription),
      invoice: refer('invoice', payment.invoice),
      buyer: this.model.buyers.refer(payment.buyer),
      amount_cents: amount,
      refunded_amount_cents: refunded,
      refundable_amount_cents: this.refundableOf(payment),
      fee_cents: payment.fee,
      net_amount_cents: captured - payment.fee,
      currency: payment.currency,
      method: status === 'pending' ? null : { type: 'card', brand: SOME_TEXT, last4: SOME_TEXT },
      gateway: 'simulated',
      gateway_reference: status === 'succeeded' ? SOME_TEXT : null,
      failure: status === 'failed' ? { code: SOME_TEXT, detail: SOME_TEXT } : null,
      cash_flow_at: payment.cashFlowAt,
    };
  }
}
