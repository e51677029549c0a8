import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, pickId, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  currency,
  dateTime,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  list,
  nullable,
  object,
  optional,
  ref,
  resource,
  string,
  type ValueOf,
} from '../../kernel/schema.js';
import type { LineItem, OrderEvent } from '../domain/order.js';
import { type RefundOutcome, toRefundedCents } from '../domain/refund.js';
import {
  BUYER_PATH,
  buyerSchema,
  centsSchema,
  lineFields,
  refundStatusSchema,
  resourceFields,
  toBuyerDocument,
  toRefundStatus,
  toResourceValues,
  totalsFields,
  toTotalsDocument,
} from './resources.js';

const lineItemSchema = object({
  object: enumOf('line_item'),
  id: id('li'),
  ...lineFields,
  kind: enumOf('one_time', 'subscription', 'installment'),
  name: string,
  discount_amount_cents: centsSchema,
  tax_amount_cents: centsSchema,
  currency,
  /** Only on the subscription lines of a completed order. */
  subscription: optional(ref('subscription', 'ps')),
});

export const orderFields = {
  ...resourceFields('order', 'ord'),
  ...totalsFields,
  status: enumOf('pending', 'completed', 'failed', 'cancelled'),
  buyer: buyerSchema,
  line_items: list(lineItemSchema),
  refunded_amount_cents: centsSchema,
  refund_status: refundStatusSchema,
  currency,
  payments: list(ref('payment', 'pay')),
  invoice: nullable(ref('invoice', 'inv')),
  offer: nullable(ref('offer', 'off')),
  cart: ref('cart', 'cart'),
  metadata: freeForm,
  external_reference: nullable(string),
  completed_at: nullable(dateTime),
};

export const orderSchema = resource('Order', orderFields);

export type LineItemDocument = ValueOf<typeof lineItemSchema>;

export interface OrderDocument extends DocumentOf<typeof orderSchema>, Owned {}

type Event<T extends OrderEvent['type']> = EventOf<OrderEvent, T>;

/** The stream of a payment holds the events of its refunds. */
export const orders: Projection<OrderDocument, OrderEvent | RefundOutcome> = {
  name: 'orders',
  version: 6,
  id: pickId('orderId'),
  ...declareLists([['status']], [[BUYER_PATH]]),
  on: {
    OrderPlaced: (_, event) => toOrderDocument(event),
    OrderCompleted: (order, event) => order && completeOrder(order, event),
    OrderFailed: (order) => order && { ...order, status: 'failed' },
    RefundSucceeded: (order, { data }) => order && addRefund(order, data),
    RefundFailed: (order, { data }) => order && addRefund(order, data),
  },
};

function toOrderDocument(event: Event<'OrderPlaced'>): OrderDocument {
  const { orderId, cartId, buyer, lines, currency, paymentId, metadata, externalReference } = event.data;
  return {
    ...toResourceValues('order', orderId, event),
    status: 'pending',
    buyer: toBuyerDocument(buyer),
    line_items: lines.map(toLineItemDocument),
    ...toTotalsDocument(event.data),
    refunded_amount_cents: 0,
    refund_status: 'none',
    currency,
    payments: paymentId === null ? [] : [toReference('payment', paymentId)],
    invoice: null,
    offer: optionalReference('offer', event.data.offer?.offerId ?? null),
    cart: toReference('cart', cartId),
    metadata,
    external_reference: externalReference,
    completed_at: null,
  };
}

function toLineItemDocument({
  lineId,
  productId,
  planId,
  terms,
  name,
  quantity,
  unitAmountCents,
  amountCents,
  discountCents = 0,
}: LineItem): LineItemDocument {
  return {
    id: lineId,
    object: 'line_item',
    product: toReference('product', productId),
    plan: toReference('payment_plan', planId),
    kind: terms.kind,
    name,
    quantity,
    unit_amount_cents: unitAmountCents,
    discount_amount_cents: discountCents,
    tax_amount_cents: 0,
    amount_cents: amountCents - discountCents,
    currency: terms.currency,
  };
}

function completeOrder(
  order: OrderDocument,
  { data: { invoiceId, subscriptions, at } }: Event<'OrderCompleted'>,
): OrderDocument {
  const started = new Map(subscriptions.map(({ lineId, subscriptionId }) => [lineId, subscriptionId]));
  const lines = order.line_items.map((line) => {
    const subscription = optionalReference('subscription', started.get(line.id) ?? null);
    return subscription === null ? line : { ...line, subscription };
  });
  return {
    ...order,
    status: 'completed',
    line_items: lines,
    invoice: toReference('invoice', invoiceId),
    completed_at: at,
  };
}

/** The refund of a renewal or of a later installment does not change the order. */
function addRefund(order: OrderDocument, data: RefundOutcome['data']): OrderDocument {
  if (!order.payments.some(({ id }) => id === data.paymentId)) return order;
  const refunded = order.refunded_amount_cents + toRefundedCents(data);
  return {
    ...order,
    refunded_amount_cents: refunded,
    refund_status: toRefundStatus(refunded, order.total_amount_cents),
  };
}
