import { cardOf } from './cards.js';
import type { Plan } from './catalogue.js';
import { type Discount, discountOn } from './discounts.js';
import { CREATED, type Model, type Outcome, refuse } from './model.js';
import type { Offer } from './offers.js';
import { type Fields, nameOf, refer, type Template } from './template.js';
import { addMs } from './times.js';

export interface Line {
  readonly key: string;
  readonly plan: Plan;
  readonly product: string;
  readonly productName: string;
  readonly quantity: number;
  readonly unit: number;
  readonly discount: number;
  readonly amount: number;
  subscription: string | null;
}

export interface Order {
  readonly key: string;
  readonly createdAt: string;
  readonly email: string;
  /** The person who had the address then. */
  readonly buyer: string;
  readonly lines: readonly Line[];
  readonly currency: string;
  readonly token: string;
  readonly discount: Discount | null;
  readonly offer: Offer | null;
  readonly total: number;
  status: 'pending' | 'completed' | 'failed';
  readonly payments: string[];
  invoice: string | null;
  completedAt: string | null;
}

export interface Purchase {
  readonly email: string;
  readonly lines: readonly { readonly plan: Plan; readonly quantity: number }[];
  readonly token: string;
  readonly discount: Discount | null;
  /** The offer that the purchase accepts, with its own price. */
  readonly offer: Offer | null;
}

/** Orders, from their checkout on. */
export class Orders {
  readonly all: Order[] = [];

  constructor(private readonly model: Model) {}

  get completed(): readonly Order[] {
    return this.all.filter(({ status }) => status === 'completed');
  }

  find(key: string): Order {
    return this.all.find((order) => order.key === key)!;
  }

  checkOut(purchase: Purchase): { readonly outcome: Outcome; readonly order: Order } {
    const order = this.place(purchase);
    const outcome = order.total === 0 ? this.complete(order) : this.charge(order);
    return { outcome, order };
  }

  private charge(order: Order): Outcome {
    const { first, settlesAfterMs } = cardOf(order.token);
    const payment = this.model.payments.start({
      ...{ kind: 'initial', order: order.key, subscription: null, invoice: null, buyer: order.buyer },
      ...{ amount: order.total, currency: order.currency, token: order.token },
    });
    order.payments.push(payment.key);
    if (first === 'declined') {
      this.model.payments.fail(payment);
      order.status = 'failed';
      return refuse(402, 'payment_failed');
    }
    const settle = () => this.complete(order, this.model.payments.succeed(payment));
    if (first === 'succeeds') return settle();
    this.model.schedule(addMs(this.model.now, settlesAfterMs!), settle);
    return CREATED;
  }

  private complete(order: Order, payment: string | null = null): Outcome {
    const { model } = this;
    order.status = 'completed';
    order.completedAt = model.now;
    order.invoice = model.invoices.issue({
      ...{ kind: 'sale', order: order.key, subscription: null, buyer: order.buyer, currency: order.currency },
      lines: order.lines,
    }).key;
    model.invoices.pay(order.invoice, payment);
    for (const line of order.lines) {
      if (line.plan.kind === 'subscription') line.subscription = model.subscriptions.start(order, line).key;
      if (line.plan.kind === 'installment') model.installments.start(order, line);
      model.entitlements.grant(order, line);
    }
    if (order.offer !== null) model.offers.accept(order.offer, order);
    model.buyers.touch(order.buyer);
    model.touch(order.key);
    return CREATED;
  }

  private place({ email, lines, token, discount, offer }: Purchase): Order {
    const { model } = this;
    const sold = lines.map(({ plan, quantity }) => {
      const unit = offer?.amount ?? plan.amount;
      const subtotal = unit * quantity;
      const off = discountOn(subtotal, discount);
      const product = model.catalogue.productOf(plan);
      return {
        ...{ key: model.newKey('li'), plan, product: product.key, productName: product.name, quantity },
        ...{ unit, discount: off, amount: subtotal - off, subscription: null },
      };
    });
    const order: Order = {
      ...{
        key: model.newKey('ord'),
        createdAt: model.now,
        email,
        buyer: model.buyers.personOf(email),
        lines: sold,
        currency: lines[0]!.plan.currency,
      },
      ...{ token, discount, offer, total: sumOf(sold.map(({ amount }) => amount)), status: 'pending', payments: [] },
      ...{ invoice: null, completedAt: null },
    };
    this.all.push(order);
    model.touch(order.key);
    return order;
  }

  render(order: Order): Fields {
    const subtotal = sumOf(order.lines.map(({ unit, quantity }) => unit * quantity));
    const { paid, refunded } = this.model.payments.sumFor(({ order: key }) => key === order.key);
    return {
      id: nameOf(order.key),
      object: 'order',
      business: { object: 'business', id: nameOf('biz') },
      created_at: order.createdAt,
      status: order.status,
      buyer: this.model.buyers.refer(order.buyer),
      line_items: order.lines.map((line) => renderLine(line, order.currency)),
      subtotal_amount_cents: subtotal,
      discount_amount_cents: subtotal - order.total,
      tax_amount_cents: 0,
      total_amount_cents: order.total,
      refunded_amount_cents: refunded,
      refund_status: refundStatus(paid, refunded),
      currency: order.currency,
      // No money is charged without a real gateway.
      livemode: false,
      installments: this.model.installments.renderFor(order),
      payments: this.model.payments.listOf(order.key).map(({ key }) => refer('payment', key)),
      invoice: refer('invoice', order.invoice),
      offer: refer('offer', order.offer?.key ?? null),
      cart: refer('cart', `cart of ${order.key}`),
      ...{ metadata: {}, external_reference: null, completed_at: order.completedAt },
    };
  }
}

export function refundStatus(paid: number, refunded: number): string {
  if (refunded === 0) return 'none';
  return refunded < paid ? 'partial' : 'full';
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}

function renderLine(line: Line, currency: string): Fields {
  const subscription: Readonly<Record<string, Template>> =
    line.subscription === null ? {} : { subscription: refer('subscription', line.subscription) };
  return {
    id: nameOf(line.key),
    object: 'line_item',
    product: refer('product', line.product),
    plan: refer('payment_plan', line.plan.key),
    kind: line.plan.kind,
    name: line.productName,
    quantity: line.quantity,
    unit_amount_cents: line.unit,
    discount_amount_cents: line.discount,
    tax_amount_cents: 0,
    amount_cents: line.amount,
    currency,
    ...subscription,
  };
}
