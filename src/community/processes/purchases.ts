import { Injectable } from '@nestjs/common';
import { isLostAfter } from '../../commerce/domain/dispute.js';
import { installmentPlanDecider } from '../../commerce/domain/installment-plan.js';
import { type LineItem, orderDecider, type PlacedOrder } from '../../commerce/domain/order.js';
import { isFullyRefunded, type Payment, paymentDecider } from '../../commerce/domain/payment.js';
import { subscriptionDecider } from '../../commerce/domain/subscription.js';
import type { SubscriptionEvent } from '../../commerce/domain/subscription-events.js';
import { findEarlierEvent } from '../../engine/streams/event-search.js';
import { Streams } from '../../engine/streams/streams.js';

/** A line of an order that was placed. */
export interface Purchase {
  readonly order: PlacedOrder;
  readonly line: LineItem;
}

type Renewed = Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' }>;

/** Finds what buyers have bought, and whether it entitles them now. */
@Injectable()
export class Purchases {
  constructor(private readonly streams: Streams) {}

  async ofOrder(orderId: string): Promise<readonly Purchase[]> {
    const order = await this.streams.loadState(orderDecider, orderId);
    return order.status === 'unknown' ? [] : order.placed.lines.map((line) => ({ order: order.placed, line }));
  }

  async ofSubscription(subscriptionId: string): Promise<readonly Purchase[]> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (subscription.status === 'unknown') return [];
    const purchases = await this.ofOrder(subscription.agreement.start.orderId);
    return purchases.filter(({ line }) => line.subscriptionId === subscriptionId);
  }

  async ofInstallmentPlan(installmentPlanId: string): Promise<readonly Purchase[]> {
    const plan = await this.streams.loadState(installmentPlanDecider, installmentPlanId);
    if (plan.status === 'unknown') return [];
    const purchases = await this.ofOrder(plan.start.orderId);
    return purchases.filter(({ line }) => line.lineId === installmentPlanId);
  }

  /** Returns what the payment paid for: one line, or all lines of the order for its first payment. */
  async ofPayment(paymentId: string): Promise<readonly Purchase[]> {
    const payment = await this.streams.loadState(paymentDecider, paymentId);
    if (payment.status === 'unknown') return [];
    const { subscriptionId, installmentPlanId, orderId } = payment.charge;
    if (subscriptionId !== null) return this.ofSubscription(subscriptionId);
    return installmentPlanId === undefined ? this.ofOrder(orderId) : this.ofInstallmentPlan(installmentPlanId);
  }

  /**
   * A subscription entitles until it ends, and no longer than until the refund of its first or its latest payment when
   * its end is planned. Another line entitles until all its payments are refunded, or its installments end unpaid. A lost
   * dispute ends each of them, until a later renewal is paid.
   */
  async isEntitling({ order, line: { subscriptionId, lineId, terms } }: Purchase): Promise<boolean> {
    if (subscriptionId !== null) return this.isSubscriptionEntitling(subscriptionId, order);
    return terms.kind === 'installment' ? this.areInstallmentsEntitling(lineId, order) : this.isPaid(order);
  }

  /** Whether a renewal of the subscription of this line was paid after this time. */
  async isRenewedSince({ line: { subscriptionId } }: Purchase, at: string): Promise<boolean> {
    const renewal = subscriptionId === null ? null : await this.findRenewal(subscriptionId);
    return renewal !== null && renewal.at > at;
  }

  private async isSubscriptionEntitling(subscriptionId: string, { paymentId }: PlacedOrder): Promise<boolean> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (subscription.status === 'cancelled') return false;
    const renewal = await this.findRenewal(subscriptionId);
    const payments = await this.loadPayments([paymentId, renewal?.paymentId ?? null]);
    if (payments.some((payment) => isLost(payment, renewal?.at))) return false;
    const isEnding = 'cancellation' in subscription && subscription.cancellation !== null;
    return !isEnding || !payments.some(isFullyRefunded);
  }

  private async areInstallmentsEntitling(lineId: string, order: PlacedOrder): Promise<boolean> {
    const plan = await this.streams.loadState(installmentPlanDecider, lineId);
    if (plan.status === 'failed' || (plan.status === 'cancelled' && !plan.paidInFull)) return false;
    const first = await this.loadPayments([order.paymentId]);
    const parts = await this.loadPayments(plan.status === 'unknown' ? [] : plan.paymentIds);
    if ([...first, ...parts].some((payment) => isLost(payment))) return false;
    return !first.some(isFullyRefunded) || parts.some((payment) => !isFullyRefunded(payment));
  }

  /** Whether the first payment of the order, if any, is neither refunded in full nor lost by a dispute. */
  private async isPaid({ paymentId }: PlacedOrder): Promise<boolean> {
    const payments = await this.loadPayments([paymentId]);
    return !payments.some((payment) => isFullyRefunded(payment) || isLost(payment));
  }

  /** Returns the latest renewal. */
  private async findRenewal(subscriptionId: string): Promise<Renewed['data'] | null> {
    const isRenewal = ({ type }: SubscriptionEvent) => type === 'SubscriptionRenewed';
    const found = await findEarlierEvent(this.streams, subscriptionDecider, subscriptionId, () => false, isRenewal);
    return found === null ? null : (found.data as Renewed['data']);
  }

  private loadPayments(paymentIds: readonly (string | null)[]): Promise<readonly Payment[]> {
    const known = paymentIds.filter((id) => id !== null);
    return Promise.all(known.map((id) => this.streams.loadState(paymentDecider, id)));
  }
}

/** Whether a dispute of the payment was lost, by default at any time. */
function isLost(payment: Payment, after = ''): boolean {
  return payment.status === 'succeeded' && isLostAfter(payment, after);
}
