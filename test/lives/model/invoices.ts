import type { Model } from './model.js';
import { type Line, sumOf } from './orders.js';
import { type Fields, nameOf, refer } from './template.js';

type BilledLine = Omit<Line, 'subscription'>;

export interface Invoice {
  readonly key: string;
  readonly createdAt: string;
  readonly number: string;
  readonly kind: 'sale' | 'renewal';
  readonly order: string;
  readonly subscription: string | null;
  /** The person who had the address then. */
  readonly buyer: string;
  readonly currency: string;
  readonly lines: readonly BilledLine[];
  status: 'open' | 'paid' | 'void' | 'uncollectible';
  payment: string | null;
  paidAt: string | null;
  voidedAt: string | null;
}

export type NewInvoice = Pick<Invoice, 'kind' | 'order' | 'subscription' | 'buyer' | 'currency' | 'lines'>;

/** Invoices. Their numbers have no gaps within a year. */
export class Invoices {
  readonly all: Invoice[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(private readonly model: Model) {}

  find(key: string): Invoice {
    return this.all.find((invoice) => invoice.key === key)!;
  }

  issue(invoice: NewInvoice): Invoice {
    const { now } = this.model;
    const issued: Invoice = {
      ...invoice,
      ...{ key: this.model.newKey('inv'), createdAt: now, number: this.nextNumber(now.slice(0, 4)), status: 'open' },
      ...{ payment: null, paidAt: null, voidedAt: null },
    };
    this.all.push(issued);
    this.model.touch(issued.key);
    return issued;
  }

  /** @param payment null when nothing was due */
  pay(key: string, payment: string | null): void {
    Object.assign(this.find(key), { status: 'paid', payment, paidAt: this.model.now });
    if (payment !== null) {
      this.model.payments.find(payment).invoice = key;
      this.model.touch(payment);
    }
    this.model.touch(key);
  }

  void(key: string): void {
    Object.assign(this.find(key), { status: 'void', voidedAt: this.model.now });
    this.model.touch(key);
  }

  writeOff(key: string): void {
    this.find(key).status = 'uncollectible';
    this.model.touch(key);
  }

  private nextNumber(year: string): string {
    const number = (this.numbers.get(year) ?? 0) + 1;
    this.numbers.set(year, number);
    return `${year}-${String(number).padStart(6, '0')}`;
  }

  render(invoice: Invoice): Fields {
    const subtotal = sumOf(invoice.lines.map(({ unit, quantity }) => unit * quantity));
    const total = sumOf(invoice.lines.map(({ amount }) => amount));
    const isPaid = invoice.status === 'paid';
    return {
      id: nameOf(invoice.key),
      object: 'invoice',
      business: { object: 'business', id: nameOf('biz') },
      created_at: invoice.createdAt,
      number: invoice.number,
      status: invoice.status,
      kind: invoice.kind,
      buyer: this.model.buyers.refer(invoice.buyer),
      order: refer('order', invoice.order),
      subscription: refer('subscription', invoice.subscription),
      payment: refer('payment', invoice.payment),
      lines: invoice.lines.map(renderLine),
      subtotal_amount_cents: subtotal,
      discount_amount_cents: subtotal - total,
      tax_amount_cents: 0,
      total_amount_cents: total,
      paid_amount_cents: isPaid ? total : 0,
      refunded_amount_cents: invoice.payment === null ? 0 : this.model.refunds.sumOf(invoice.payment, 'succeeded'),
      currency: invoice.currency,
      issued_at: invoice.createdAt,
      due_at: invoice.createdAt,
      paid_at: invoice.paidAt,
      voided_at: invoice.voidedAt,
    };
  }
}

function renderLine(line: BilledLine): Fields {
  return {
    id: nameOf(line.key),
    product: refer('product', line.product),
    plan: refer('payment_plan', line.plan.key),
    name: line.productName,
    quantity: line.quantity,
    unit_amount_cents: line.unit,
    discount_amount_cents: line.discount,
    amount_cents: line.amount,
  };
}
