import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { step, type Context } from '../../kernel/context.js';
import { Rejection } from '../../kernel/rejection.js';
import { paymentPlan } from '../domain/payment-plan.js';

/** A product and its plans, as they were created. */
export interface Filing {
  readonly productId: string;
  readonly businessId: string;
  readonly plans: readonly { readonly planId: string }[];
}

/** Whose a plan is: an id alone leads to its product. */
@Injectable()
export class Plans {
  constructor(private readonly streams: Streams) {}

  /** @param context that of the command which created the product, so that doing it again is nothing */
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

  /** A plan that is not the business's own does not exist; whether the product has it is for the domain to say. */
  async refuseForeign(planId: string, businessId: string): Promise<void> {
    const plan = await this.streams.state(paymentPlan, planId);
    if (plan.status === 'unknown' || plan.businessId !== businessId) throw Rejection.unknownReference('plan_id');
  }
}
