import { idIn, type Changes, type EventOf, type Projection } from '../../kernel/projection.js';
import type { LineItem, OrderEvent } from '../domain/order.js';
import type { PlanKind } from '../domain/payment-plan.js';
import { OWNER } from '../../kernel/ownership.js';
import { maybe, reference, type Reference } from '../../kernel/reference.js';
import { buyerDocument, resource, totalsDocument, type BuyerDocument, type Resource, type TotalsDocument } from './resources.js';

export interface LineItemDocument extends Reference<'line_item'> {
  readonly product: Reference<'product'>;
  readonly plan: Reference<'payment_plan'>;
  readonly kind: PlanKind;
  readonly name: string;
  readonly quantity: number;
  readonly unit_amount_cents: number;
  readonly discount_amount_cents: number;
  readonly tax_amount_cents: number;
  readonly amount_cents: number;
  readonly currency: string;
  /** Only on the subscription lines of a completed order. */
  readonly subscription?: Reference<'subscription'>;
}

export interface OrderDocument extends Resource<'order'>, TotalsDocument {
  readonly status: 'pending' | 'completed' | 'failed' | 'cancelled';
  readonly buyer: BuyerDocument;
  readonly line_items: readonly LineItemDocument[];
  readonly refunded_amount_cents: number;
  readonly refund_status: 'none' | 'partial' | 'full';
  readonly currency: string;
  readonly payments: readonly Reference<'payment'>[];
  readonly invoice: Reference<'invoice'> | null;
  readonly offer: Reference<'offer'> | null;
  readonly cart: Reference<'cart'>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly external_reference: string | null;
  readonly completed_at: string | null;
}

type Event<T extends OrderEvent['type']> = EventOf<OrderEvent, T>;

export const orders: Projection<OrderDocument> = {
  name: 'orders',
  version: 2,
  id: idIn('orderId'),
  indexes: [[...OWNER, 'status', 'created_at']],
  totals: [[...OWNER, 'status']],
  hourly: [{ group: [...OWNER, 'status'], times: ['created_at'] }],
  on: {
    OrderPlaced: (_, event: Event<'OrderPlaced'>) => placed(event),
    OrderCompleted: (order, event: Event<'OrderCompleted'>) => order && completed(order, event),
    OrderFailed: (order) => order && { ...order, status: 'failed' },
  } satisfies Changes<OrderDocument, OrderEvent>,
};

function placed(event: Event<'OrderPlaced'>): OrderDocument {
  const { orderId, cartId, buyer, lines, currency, paymentId, metadata, externalReference } = event.data;
  return {
    ...resource('order', orderId, event),
    status: 'pending',
    buyer: buyerDocument(buyer),
    line_items: lines.map(lineItemDocument),
    ...totalsDocument(event.data),
    refunded_amount_cents: 0,
    refund_status: 'none',
    currency,
    payments: paymentId === null ? [] : [reference('payment', paymentId)],
    invoice: null,
    offer: null,
    cart: reference('cart', cartId),
    metadata,
    external_reference: externalReference,
    completed_at: null,
  };
}

function lineItemDocument({ lineId, productId, planId, terms, name, quantity, unitAmountCents, amountCents }: LineItem): LineItemDocument {
  return {
    id: lineId,
    object: 'line_item',
    product: reference('product', productId),
    plan: reference('payment_plan', planId),
    kind: terms.kind,
    name,
    quantity,
    unit_amount_cents: unitAmountCents,
    discount_amount_cents: 0,
    tax_amount_cents: 0,
    amount_cents: amountCents,
    currency: terms.currency,
  };
}

function completed(order: OrderDocument, { data: { invoiceId, subscriptions, at } }: Event<'OrderCompleted'>): OrderDocument {
  const begun = new Map(subscriptions.map(({ lineId, subscriptionId }) => [lineId, subscriptionId]));
  const lines = order.line_items.map((line) => {
    const subscription = maybe('subscription', begun.get(line.id) ?? null);
    return subscription === null ? line : { ...line, subscription };
  });
  return { ...order, status: 'completed', line_items: lines, invoice: reference('invoice', invoiceId), completed_at: at };
}
