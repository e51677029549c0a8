import { idIn, type EventOf, type Projection } from '../../kernel/projection.js';
import type { LineItem, OrderEvent } from '../domain/order.js';
import { OWNER, type Owned } from '../../kernel/ownership.js';
import { optionalReference, reference } from '../../kernel/reference.js';
import {
  currency,
  type DocumentOf,
  free,
  id,
  list,
  nullable,
  object,
  one,
  refer,
  resource,
  sometimes,
  text,
  time,
  type ValueOf,
} from '../../kernel/schema.js';
import { begin, begun, buyer, buyerDocument, cents, line, refundStatus, totals, totalsDocument } from './resources.js';

const lineItemSchema = object({
  object: one('line_item'),
  id: id('li'),
  ...line,
  kind: one('one_time', 'subscription', 'installment'),
  name: text,
  discount_amount_cents: cents,
  tax_amount_cents: cents,
  currency,
  /** Only on the subscription lines of a completed order. */
  subscription: sometimes(refer('subscription', 'ps')),
});

export const orderFields = {
  ...begun('order', 'ord'),
  ...totals,
  status: one('pending', 'completed', 'failed', 'cancelled'),
  buyer,
  line_items: list(lineItemSchema),
  refunded_amount_cents: cents,
  refund_status: refundStatus,
  currency,
  payments: list(refer('payment', 'pay')),
  invoice: nullable(refer('invoice', 'inv')),
  offer: nullable(refer('offer', 'off')),
  cart: refer('cart', 'cart'),
  metadata: free,
  external_reference: nullable(text),
  completed_at: nullable(time),
};

export const orderSchema = resource('Order', orderFields);

export type LineItemDocument = ValueOf<typeof lineItemSchema>;

export interface OrderDocument extends DocumentOf<typeof orderSchema>, Owned {}

type Event<T extends OrderEvent['type']> = EventOf<OrderEvent, T>;

export const orders: Projection<OrderDocument, OrderEvent> = {
  name: 'orders',
  version: 2,
  id: idIn('orderId'),
  indexes: [[...OWNER, 'status', 'created_at']],
  totals: [[...OWNER, 'status']],
  hourly: [{ group: [...OWNER, 'status'], times: ['created_at'] }],
  on: {
    OrderPlaced: (_, event) => placed(event),
    OrderCompleted: (order, event) => order && completed(order, event),
    OrderFailed: (order) => order && { ...order, status: 'failed' },
  },
};

function placed(event: Event<'OrderPlaced'>): OrderDocument {
  const { orderId, cartId, buyer, lines, currency, paymentId, metadata, externalReference } = event.data;
  return {
    ...begin('order', orderId, event),
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
    const subscription = optionalReference('subscription', begun.get(line.id) ?? null);
    return subscription === null ? line : { ...line, subscription };
  });
  return { ...order, status: 'completed', line_items: lines, invoice: reference('invoice', invoiceId), completed_at: at };
}
