import { cardOf } from './cards.js';
import { CREATED, type Model, type Outcome, refuse } from './model.js';
import { sumOf } from './orders.js';
import type { Payment } from './payments.js';
import { type Fields, nameOf, refer, SOME_TEXT } from './template.js';
import { addMs } from './times.js';

export interface Refund {
  readonly key: string;
  readonly createdAt: string;
  readonly payment: Payment;
  readonly amount: number;
  status: 'pending' | 'succeeded' | 'failed';
  processedAt: string | null;
}

/** Refunds of payments. */
export class Refunds {
  readonly all: Refund[] = [];

  constructor(private readonly model: Model) {}

  sumOf(payment: string, status: Refund['status']): number {
    const own = this.all.filter((refund) => refund.payment.key === payment && refund.status === status);
    return sumOf(own.map(({ amount }) => amount));
  }

  /** @param wanted null for all that remains */
  refund(payment: Payment, wanted: number | null): { readonly outcome: Outcome; readonly refund: Refund | null } {
    const refused = this.findRefusal(payment, wanted);
    if (refused !== null) return { outcome: refused, refund: null };
    const amount = wanted ?? this.model.payments.refundableOf(payment);
    const refund = this.request(payment, amount);
    const { first, declinesRefunds, settlesAfterMs } = cardOf(payment.token);
    if (declinesRefunds) {
      this.end(refund, 'failed');
      return { outcome: refuse(422, 'refund_declined'), refund: null };
    }
    if (first === 'pending') {
      this.model.schedule(addMs(this.model.now, settlesAfterMs!), () => this.end(refund, 'succeeded'));
    } else this.end(refund, 'succeeded');
    return { outcome: CREATED, refund };
  }

  private findRefusal(payment: Payment, wanted: number | null): Outcome | null {
    const { payments } = this.model;
    const [remaining, refundable] = [payments.remainingOf(payment), payments.refundableOf(payment)];
    if (payment.status !== 'succeeded') return refuse(422, 'payment_not_refundable');
    if (remaining === 0) return refuse(422, 'payment_already_refunded');
    if ((wanted ?? 0) > remaining) return refuse(422, 'refund_amount_exceeds_refundable');
    if ((wanted ?? 1) > refundable) return refuse(422, 'payment_disputed');
    if ((wanted ?? refundable) > this.model.balance.limitOf(payment)) return refuse(422, 'insufficient_seller_balance');
    return null;
  }

  private request(payment: Payment, amount: number): Refund {
    const { now } = this.model;
    const refund: Refund = {
      ...{ key: this.model.newKey('ref'), createdAt: now, payment, amount },
      ...{ status: 'pending', processedAt: null },
    };
    this.all.push(refund);
    this.model.touch(refund.key, payment.key);
    return refund;
  }

  private end(refund: Refund, status: 'succeeded' | 'failed'): void {
    const { payment } = refund;
    refund.status = status;
    refund.processedAt = this.model.now;
    this.model.touch(refund.key, payment.key, payment.order);
    if (payment.invoice !== null) this.model.touch(payment.invoice);
    this.model.buyers.touch(payment.buyer);
  }

  render(refund: Refund): Fields {
    return {
      id: nameOf(refund.key),
      object: 'refund',
      business: { object: 'business', id: nameOf('biz') },
      created_at: refund.createdAt,
      status: refund.status,
      payment: refer('payment', refund.payment.key),
      order: refer('order', refund.payment.order),
      subscription: refer('subscription', refund.payment.subscription),
      amount_cents: refund.amount,
      currency: refund.payment.currency,
      reason: null,
      note: null,
      failure: refund.status === 'failed' ? { code: SOME_TEXT, detail: SOME_TEXT } : null,
      processed_at: refund.processedAt,
    };
  }
}
