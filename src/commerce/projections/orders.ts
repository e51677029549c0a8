import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  boolean,
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
import type { InstallmentPlanEvent, InstallmentProgress } from '../domain/installment-plan-events.js';
import type { LineItem, OrderEvent } from '../domain/order.js';
import type { PaymentEvent } from '../domain/payment.js';
import { type RefundOutcome, toRefundedCents } from '../domain/refund.js';
import { installmentsSchema, type LineInstallments, toInstallmentsDocument } from './order-installments.js';
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

/** An order lists at most this many payments, the newest ones. */
const MAX_PAYMENTS = 500;

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
  /** Whether its payments move money: false in test mode, and while the payments of live mode are simulated. */
  livemode: boolean,
  buyer: buyerSchema,
  line_items: list(lineItemSchema),
  refunded_amount_cents: centsSchema,
  refund_status: refundStatusSchema,
  currency,
  /** The newest 500 payments, renewals and installments included. */
  payments: list(ref('payment', 'pay')),
  installments: installmentsSchema,
  invoice: nullable(ref('invoice', 'inv')),
  offer: nullable(ref('offer', 'off')),
  cart: ref('cart', 'cart'),
  metadata: freeForm,
  external_reference: nullable(string),
  completed_at: nullable(dateTime),
};

export const orderSchema = resource('Order', orderFields);

export type LineItemDocument = ValueOf<typeof lineItemSchema>;

export interface OrderDocument extends DocumentOf<typeof orderSchema>, Owned {
  /** The sum of the payments that succeeded. */
  readonly _paid_cents: number;
  readonly _installments: LineInstallments;
}

type OrderChange =
  | OrderEvent
  | Extract<PaymentEvent, { type: 'PaymentStarted' | 'PaymentSucceeded' }>
  | RefundOutcome
  | Extract<InstallmentPlanEvent, { type: 'InstallmentPaid' | 'InstallmentFailed' | 'InstallmentPlanCancelled' }>;

type Event<T extends OrderEvent['type']> = EventOf<OrderEvent, T>;

/** An installment event that an older version recorded does not name its order: it changes no document. */
export const orders: Projection<OrderDocument, OrderChange> = {
  name: 'orders',
  version: 7,
  id: ({ data }) => ('orderId' in data ? data.orderId : (data.progress?.orderId ?? null)),
  ...declareLists([['status']], [[BUYER_PATH]]),
  on: {
    OrderPlaced: (_, event) => toOrderDocument(event),
    OrderCompleted: (order, event) => order && completeOrder(order, event),
    OrderFailed: (order) => order && { ...order, status: 'failed' },
    PaymentStarted: (order, event) => order && addPayment(order, event),
    PaymentSucceeded: (order, { data }) => order && pay(order, data.feeCents + data.netCents),
    RefundSucceeded: (order, { data }) => order && addRefund(order, data),
    RefundFailed: (order, { data }) => order && addRefund(order, data),
    InstallmentPaid: (order, { data }) => order && progress(order, data),
    InstallmentFailed: (order, { data }) => order && progress(order, data),
    InstallmentPlanCancelled: (order, { data }) => order && progress(order, data),
  },
};

function toOrderDocument(event: Event<'OrderPlaced'>): OrderDocument {
  const { orderId, cartId, buyer, lines, currency, paymentId, metadata, externalReference } = event.data;
  return {
    ...toResourceValues('order', orderId, event),
    status: 'pending',
    livemode: event.data.livemode ?? false,
    buyer: toBuyerDocument(buyer),
    line_items: lines.map(toLineItemDocument),
    ...toTotalsDocument(event.data),
    refunded_amount_cents: 0,
    refund_status: 'none',
    currency,
    payments: paymentId === null ? [] : [toReference('payment', paymentId)],
    installments: null,
    invoice: null,
    offer: optionalReference('offer', event.data.offer?.offerId ?? null),
    cart: toReference('cart', cartId),
    metadata,
    external_reference: externalReference,
    completed_at: null,
    _paid_cents: 0,
    _installments: {},
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
  { data: { invoiceId, subscriptions, installments, at } }: Event<'OrderCompleted'>,
): OrderDocument {
  const started = new Map(subscriptions.map(({ lineId, subscriptionId }) => [lineId, subscriptionId]));
  const lines = order.line_items.map((line) => {
    const subscription = optionalReference('subscription', started.get(line.id) ?? null);
    return subscription === null ? line : { ...line, subscription };
  });
  return {
    ...withInstallments(order, { ...installments, ...order._installments }),
    status: 'completed',
    line_items: lines,
    invoice: toReference('invoice', invoiceId),
    completed_at: at,
  };
}

/** Returns the ids of the lines that are paid in parts, which are the ids of their installment plans. */
export function listInstallmentLineIds({ line_items: lines }: OrderDocument): readonly string[] {
  return lines.filter(({ kind }) => kind === 'installment').map(({ id }) => id);
}

function withInstallments(order: OrderDocument, lines: LineInstallments): OrderDocument {
  return { ...order, installments: toInstallmentsDocument(lines), _installments: lines };
}

function progress(
  order: OrderDocument,
  {
    installmentPlanId,
    progress: line,
  }: { readonly installmentPlanId: string; readonly progress?: InstallmentProgress },
): OrderDocument {
  return line === undefined ? order : withInstallments(order, { ...order._installments, [installmentPlanId]: line });
}

/** An older order does not say whether its payments move money; its payment does. */
function addPayment(order: OrderDocument, { data, meta }: EventOf<PaymentEvent, 'PaymentStarted'>): OrderDocument {
  const livemode = order.livemode || (meta.mode === 'live' && data.gateway === 'stripe');
  const isListed = order.payments.some(({ id }) => id === data.paymentId);
  const payments = isListed ? order.payments : [...order.payments, toReference('payment', data.paymentId)];
  return { ...order, livemode, payments: payments.slice(-MAX_PAYMENTS) };
}

function pay(order: OrderDocument, cents: number): OrderDocument {
  return withRefunds({ ...order, _paid_cents: order._paid_cents + cents }, 0);
}

function addRefund(order: OrderDocument, data: RefundOutcome['data']): OrderDocument {
  return withRefunds(order, toRefundedCents(data));
}

/** Compares the refunds with all that was paid for the order, renewals and installments included. */
function withRefunds(order: OrderDocument, changeCents: number): OrderDocument {
  const refunded = order.refunded_amount_cents + changeCents;
  return { ...order, refunded_amount_cents: refunded, refund_status: toRefundStatus(refunded, order._paid_cents) };
}
