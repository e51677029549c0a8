import { Injectable } from '@nestjs/common';
import type { DisputeEvent } from '../../commerce/domain/dispute.js';
import type { InstallmentPlanEvent } from '../../commerce/domain/installment-plan-events.js';
import type { RefundOutcome } from '../../commerce/domain/refund.js';
import type { SubscriptionEvent } from '../../commerce/domain/subscription-events.js';
import type { Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { PurchaseEntitlements } from './purchase-entitlements.js';
import { type Purchase, Purchases } from './purchases.js';

type Cause =
  | Extract<SubscriptionEvent, { type: 'CancellationScheduled' | 'SubscriptionCancelled' }>
  | Extract<InstallmentPlanEvent, { type: 'InstallmentFailed' | 'InstallmentPlanCancelled' }>
  | Extract<RefundOutcome, { type: 'RefundSucceeded' }>
  | Extract<DisputeEvent, { type: 'DisputeClosed' }>;

/**
 * Ends the entitlement of a live purchase when its subscription or its unpaid installments end, when it is refunded in
 * full, and when a dispute of it is lost. It decides by what is true now, so it may begin with the oldest event.
 */
@Injectable()
export class EndEntitlements implements Reactor<Cause> {
  readonly name = 'end-entitlements';
  readonly types = typesOf<Cause>({
    CancellationScheduled: true,
    SubscriptionCancelled: true,
    InstallmentFailed: true,
    InstallmentPlanCancelled: true,
    RefundSucceeded: true,
    DisputeClosed: true,
  });

  constructor(
    private readonly purchases: Purchases,
    private readonly entitlements: PurchaseEntitlements,
  ) {}

  async react(event: RecordedOf<Cause>): Promise<void> {
    if (event.meta.mode !== 'live') return;
    const purchases = await this.find(event);
    await Promise.all(purchases.map((purchase) => this.end(purchase, event)));
  }

  private async find({ type, data }: Cause): Promise<readonly Purchase[]> {
    switch (type) {
      case 'CancellationScheduled':
      case 'SubscriptionCancelled':
        return this.purchases.ofSubscription(data.subscriptionId);
      case 'InstallmentFailed':
      case 'InstallmentPlanCancelled':
        return this.purchases.ofInstallmentPlan(data.installmentPlanId);
      case 'RefundSucceeded':
      case 'DisputeClosed':
        return this.purchases.ofPayment(data.paymentId);
    }
  }

  private async end(purchase: Purchase, event: RecordedOf<Cause>): Promise<void> {
    if (!(await this.purchases.isEntitling(purchase))) return this.entitlements.settle(purchase, event, this.name);
    if (event.type !== 'DisputeClosed' || event.data.outcome !== 'lost') return;
    if (await this.purchases.isRenewedSince(purchase, event.data.at)) return;
    await this.entitlements.end(purchase, event, this.name);
  }
}
