import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { paymentPlan } from '../domain/payment-plan.js';

/** A created product and its plans. */
export interface Filing {
  readonly productId: string;
  readonly businessId: string;
  readonly plans: readonly { readonly planId: string }[];
}

/** Records the owner of each plan, so that a plan can be found by its id alone. */
@Injectable()
export class Plans {
  constructor(private readonly streams: Streams) {}

  /** @param context the context of the CreateProduct command, which makes a repeated call idempotent */
  async file({ productId, businessId, plans }: Filing, context: Context): Promise<void> {
    const filed = plans.map(({ planId }) =>
      this.streams.execute(
        paymentPlan,
        planId,
        { type: 'CreatePaymentPlan', planId, productId, businessId },
        step(context, 'plan', planId),
      ),
    );
    await Promise.all(filed);
  }

  /** Rejects a plan of another business. The domain checks whether the plan belongs to the product. */
  async refuseForeign(planId: string, businessId: string): Promise<void> {
    const plan = await this.streams.state(paymentPlan, planId);
    if (plan.status === 'unknown' || plan.businessId !== businessId) throw Rejection.unknownReference('plan_id');
  }
}
