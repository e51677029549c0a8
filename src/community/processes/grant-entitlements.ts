import { Injectable } from '@nestjs/common';
import type { DisputeEvent } from '../../commerce/domain/dispute.js';
import type { InstallmentPlanEvent } from '../../commerce/domain/installment-plan-events.js';
import type { OrderEvent } from '../../commerce/domain/order.js';
import type { RefundOutcome } from '../../commerce/domain/refund.js';
import type { SubscriptionEvent } from '../../commerce/domain/subscription-events.js';
import type { Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { PurchaseEntitlements } from './purchase-entitlements.js';
import { type Purchase, Purchases } from './purchases.js';

type Cause =
  | Extract<OrderEvent, { type: 'OrderCompleted' }>
  | Extract<SubscriptionEvent, { type: 'SubscriptionRenewed' | 'CancellationRevoked' }>
  | Extract<InstallmentPlanEvent, { type: 'InstallmentPaid' }>
  | Extract<RefundOutcome, { type: 'RefundFailed' }>
  | Extract<DisputeEvent, { type: 'DisputeClosed' }>;

/**
 * Entitles the buyers of live orders to the communities of their products, again after a renewal that is paid, and when
 * a cancellation is revoked, a refund is reversed, a dispute is won, or the last part is paid after the end of its
 * installments.
 */
@Injectable()
export class GrantEntitlements implements Reactor<Cause> {
  readonly name = 'grant-entitlements';
  readonly types = typesOf<Cause>({
    OrderCompleted: true,
    SubscriptionRenewed: true,
    CancellationRevoked: true,
    InstallmentPaid: true,
    RefundFailed: true,
    DisputeClosed: true,
  });

  constructor(
    private readonly purchases: Purchases,
    private readonly entitlements: PurchaseEntitlements,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.meta.mode !== 'live') return;
    const purchases = await this.find(event);
    await Promise.all(purchases.map((purchase) => this.entitlements.settle(purchase, event, this.name)));
  }

  private async find({ type, data }: Cause): Promise<readonly Purchase[]> {
    switch (type) {
      case 'OrderCompleted':
        return this.purchases.ofOrder(data.orderId);
      case 'SubscriptionRenewed':
      case 'CancellationRevoked':
        return this.purchases.ofSubscription(data.subscriptionId);
      case 'InstallmentPaid':
        return isPaidAfterEnd(data) ? this.purchases.ofInstallmentPlan(data.installmentPlanId) : [];
      case 'RefundFailed':
        return this.purchases.ofPayment(data.paymentId);
      case 'DisputeClosed':
        return data.outcome === 'won' ? this.purchases.ofPayment(data.paymentId) : [];
    }
  }
}

/** Whether the last part was paid after a cancellation. The parts of a plan that goes on change nothing. */
function isPaidAfterEnd({ progress }: Extract<Cause, { type: 'InstallmentPaid' }>['data']): boolean {
  return progress?.status === 'cancelled' && progress.paid === progress.count;
}
