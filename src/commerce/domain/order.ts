import type { Decider, DecisionContext } from '../../kernel/decider.js';
import type { Fact } from '../../kernel/event.js';
import { Rejection } from '../../kernel/rejection.js';
import type { Buyer } from './buyer.js';
import type { DiscountedLine } from './cart-discount.js';
import type { InstallmentProgress } from './installment-plan-events.js';
import { describeStart, listInstallmentPlanStarts } from './installment-start.js';
import type { Sale } from './sale.js';

/** `subscriptionId` is the subscription that the line will start; null for a line of another kind. */
export interface LineItem extends DiscountedLine {
  readonly subscriptionId: string | null;
}

/** A new order already has the ids of its payment, invoice and subscriptions. Their own streams begin later. */
export interface PlacedOrder extends Omit<Sale, 'lines'> {
  readonly lines: readonly LineItem[];
  readonly paymentId: string | null;
  readonly invoiceId: string;
  /** Whether its payments move money; older events do not have it. */
  readonly livemode?: boolean;
  readonly at: string;
}

export type OrderEvent =
  | Fact<'OrderPlaced', PlacedOrder>
  | Fact<'OrderCompleted', CompletedOrder>
  | Fact<'OrderFailed', { orderId: string; paymentId: string; at: string }>;

/**
 * `buyer`, `businessId`, `discountId` and `productIds` are of the order, and `installments` is the state of each plan by
 * its id; older events do not have them.
 */
interface CompletedOrder {
  readonly orderId: string;
  readonly businessId?: string;
  readonly buyer?: Buyer;
  readonly discountId?: string | null;
  readonly productIds?: readonly string[];
  readonly paymentId: string | null;
  readonly invoiceId: string;
  readonly subscriptions: readonly StartedSubscription[];
  readonly installments?: Readonly<Record<string, InstallmentProgress>>;
  readonly at: string;
}

export interface StartedSubscription {
  readonly lineId: string;
  readonly subscriptionId: string;
}

export type Order =
  | { readonly status: 'unknown' }
  | { readonly status: 'pending' | 'completed' | 'failed'; readonly placed: PlacedOrder };

function evolve(order: Order, event: OrderEvent): Order {
  if (event.type === 'OrderPlaced') return { status: 'pending', placed: event.data };
  if (order.status === 'unknown') return order;

  switch (event.type) {
    case 'OrderCompleted':
      return { ...order, status: 'completed' };
    case 'OrderFailed':
      return { ...order, status: 'failed' };
  }
}

export type OrderCommand =
  | { readonly type: 'PlaceOrder'; readonly sale: Sale; readonly livemode: boolean }
  /** `paidAt` is the time from which subscriptions and installments run. */
  | { readonly type: 'CompleteOrder'; readonly paidAt: string }
  | { readonly type: 'FailOrder' };

function decide(command: OrderCommand, order: Order, x: DecisionContext): readonly OrderEvent[] {
  if (command.type === 'PlaceOrder')
    return order.status === 'unknown' ? [{ type: 'OrderPlaced', data: place(command, x) }] : [];
  if (order.status === 'unknown') throw Rejection.notFound();
  if (order.status !== 'pending') return [];

  const { orderId, paymentId } = order.placed;
  switch (command.type) {
    case 'CompleteOrder':
      return [{ type: 'OrderCompleted', data: complete(order.placed, command.paidAt, x.now) }];
    case 'FailOrder':
      return paymentId === null ? [] : [{ type: 'OrderFailed', data: { orderId, paymentId, at: x.now } }];
  }
}

function place(
  { sale: { lines, ...sale }, livemode }: Extract<OrderCommand, { type: 'PlaceOrder' }>,
  x: DecisionContext,
): PlacedOrder {
  return {
    ...sale,
    lines: lines.map((line) => ({
      ...line,
      lineId: x.createId('li'),
      subscriptionId: line.terms.kind === 'subscription' ? x.createId('ps') : null,
    })),
    paymentId: sale.totalCents > 0 ? x.createId('pay') : null,
    invoiceId: x.createId('inv'),
    livemode,
    at: x.now,
  };
}

function complete(placed: PlacedOrder, paidAt: string, at: string): CompletedOrder {
  const { orderId, businessId, buyer, paymentId, invoiceId, discount, lines } = placed;
  return {
    orderId,
    businessId,
    buyer,
    discountId: discount?.discountId ?? null,
    productIds: [...new Set(lines.map(({ productId }) => productId))],
    paymentId,
    invoiceId,
    subscriptions: toStartedSubscriptions(placed),
    installments: Object.fromEntries(
      listInstallmentPlanStarts(placed, paidAt).map((start) => [start.installmentPlanId, describeStart(start)]),
    ),
    at,
  };
}

function toStartedSubscriptions({ lines }: PlacedOrder): readonly StartedSubscription[] {
  return lines.flatMap(({ lineId, subscriptionId }) => (subscriptionId === null ? [] : [{ lineId, subscriptionId }]));
}

export const orderDecider: Decider<Order, OrderCommand, OrderEvent> = {
  category: 'order',
  clock: 'business',
  versions: { OrderPlaced: 1, OrderCompleted: 1, OrderFailed: 1 },
  initial: { status: 'unknown' },
  evolve,
  decide,
};
