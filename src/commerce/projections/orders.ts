import { declareLists, type Owned } from '../../kernel/ownership.js';
import { type EventOf, type Projection } from '../../kernel/projection.js';
import { optionalReference, toReference } from '../../kernel/reference.js';
import {
  boolean,
  currency,
  dateTime,
  describe,
  type DocumentOf,
  enumOf,
  freeForm,
  id,
  KIND,
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
  object: describe(enumOf('line_item'), KIND),
  id: describe(id('li'), 'The id of the line, the same as in its invoices.'),
  ...lineFields,
  kind: describe(
    enumOf('one_time', 'subscription', 'installment'),
    'Whether the line is charged once (`one_time`), as a subscription (`subscription`), or in parts (`installment`).',
  ),
  name: describe(string, 'The name of the product when it was put into the cart.'),
  discount_amount_cents: describe(centsSchema, 'The discount on the line, in cents.'),
  tax_amount_cents: describe(centsSchema, 'The tax on the line, in cents.'),
  currency,
  subscription: describe(
    optional(ref('subscription', 'ps')),
    'The subscription that the line started; left out on other lines, and before the order is completed.',
  ),
});

export const orderFields = {
  ...resourceFields('order', 'ord'),
  ...totalsFields,
  status: describe(
    enumOf('pending', 'completed', 'failed', 'cancelled'),
    'Whether the checkout is not finished (`pending`), has succeeded (`completed`), or its payment failed (`failed`). No order becomes `cancelled`.',
  ),
  livemode: describe(
    boolean,
    'Whether its payments move money: false in test mode, and while the payments of live mode are simulated.',
  ),
  buyer: describe(buyerSchema, 'The person who bought.'),
  line_items: describe(list(lineItemSchema), 'The products that were bought, as they were in the cart.'),
  refunded_amount_cents: describe(centsSchema, 'The amount that was refunded of all payments of the order, in cents.'),
  refund_status: describe(
    refundStatusSchema,
    'Whether nothing (`none`), a part (`partial`) or all (`full`) of what was paid so far for the order, renewals and installments included, is refunded.',
  ),
  currency,
  payments: describe(
    list(ref('payment', 'pay')),
    'The newest 500 payments, renewals and installments included, oldest first.',
  ),
  installments: installmentsSchema,
  invoice: describe(
    nullable(ref('invoice', 'inv')),
    'The invoice of the checkout; null before the order is completed.',
  ),
  offer: describe(nullable(ref('offer', 'off')), 'The offer that was bought, or null.'),
  cart: describe(ref('cart', 'cart'), 'The cart that was checked out.'),
  metadata: describe(freeForm, 'The metadata of the cart at checkout.'),
  external_reference: describe(
    nullable(string),
    'The external reference of the cart at checkout, or null.',
    'checkout-1042',
  ),
  completed_at: describe(nullable(dateTime), 'The time at which the order was completed, or null before that.'),
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
  version: 8,
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
