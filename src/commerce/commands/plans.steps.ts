import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { requireBusiness } from '../../kernel/caller.js';
import { type Context, createChildContext } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { paymentPlanDecider } from '../domain/payment-plan.js';

/** Records the owner of each plan, so that a plan can be found by its id alone. */
@Injectable()
export class Plans {
  constructor(private readonly streams: Streams) {}

  /** @param context the context of the product's command, which makes a repeated call idempotent */
  async register(productId: string, planIds: readonly string[], context: Context): Promise<void> {
    const businessId = requireBusiness(context);
    const registrations = planIds.map((planId) => {
      const command = { type: 'CreatePaymentPlan', planId, productId, businessId } as const;
      return this.streams.execute(paymentPlanDecider, planId, command, createChildContext(context, 'plan', planId));
    });
    await Promise.all(registrations);
  }

  /** Rejects a plan of another business. The domain checks whether the plan belongs to the product. */
  async requireOwnPlan(planId: string, businessId: string): Promise<void> {
    const plan = await this.streams.loadState(paymentPlanDecider, planId);
    if (plan.status === 'unknown' || plan.businessId !== businessId) throw Rejection.unknownReference('plan_id');
  }
}
