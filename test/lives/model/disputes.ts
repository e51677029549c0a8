import type { Model } from './model.js';
import { sumOf } from './orders.js';
import type { Payment } from './payments.js';
import { type Fields, nameOf, Open, refer, SOME_TEXT } from './template.js';
import { addDays } from './times.js';

/** The simulated gateway opens a dispute of such a payment after a day. */
const DISPUTED = 'tok_disputed';

export type DisputeOutcome = 'won' | 'lost';

export interface Dispute {
  readonly key: string;
  readonly createdAt: string;
  readonly payment: Payment;
  status: 'open' | DisputeOutcome;
  closedAt: string | null;
}

/** The contract does not say how long the gateway takes evidence. */
const A_LATER_TIME = (at: string) => new Open((value) => value === null || (typeof value === 'string' && value > at));

/** Disputes of payments, each about the whole amount. */
export class Disputes {
  readonly all: Dispute[] = [];

  constructor(private readonly model: Model) {}

  /** A payment has succeeded. */
  expectFor(payment: Payment): void {
    if (payment.token === DISPUTED) this.model.schedule(addDays(this.model.now, 1), () => this.open(payment));
  }

  /** Returns what the disputes that are not won take from a payment. */
  sumOf({ key }: Payment): number {
    return sumOf(this.all.filter(isWithheld).flatMap(({ payment }) => (payment.key === key ? [payment.amount] : [])));
  }

  /** Returns what they take from the balance of a currency. */
  withheldFrom(currency: string): number {
    const withheld = this.all.filter((one) => isWithheld(one) && one.payment.currency === currency);
    return sumOf(withheld.map(({ payment }) => payment.amount));
  }

  /** Returns whether one of these payments was lost after this time. */
  isLost(payments: readonly string[], after = ''): boolean {
    return this.all.some(
      ({ status, closedAt, payment }) => status === 'lost' && closedAt! > after && payments.includes(payment.key),
    );
  }

  close(dispute: Dispute, outcome: DisputeOutcome): void {
    Object.assign(dispute, { status: outcome, closedAt: this.model.now });
    this.model.touch(dispute.key, dispute.payment.key);
  }

  private open(payment: Payment): void {
    const key = this.model.newKey('dp');
    this.all.push({ key, createdAt: this.model.now, payment, status: 'open', closedAt: null });
    this.model.touch(key, payment.key);
  }

  render({ key, createdAt, payment, status, closedAt }: Dispute): Fields {
    return {
      id: nameOf(key),
      object: 'dispute',
      business: { object: 'business', id: nameOf('biz') },
      created_at: createdAt,
      payment: refer('payment', payment.key),
      order: refer('order', payment.order),
      amount_cents: payment.amount,
      currency: payment.currency,
      reason: SOME_TEXT,
      status,
      evidence_due_at: A_LATER_TIME(createdAt),
      closed_at: closedAt,
    };
  }
}

function isWithheld({ status }: Dispute): boolean {
  return status !== 'won';
}
