import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Plans } from '../commands/plans.steps.js';
import type { ProductEvent } from '../domain/product-events.js';

type WithPlans = Extract<ProductEvent, { type: 'ProductCreated' | 'PlanAdded' }>;

/** Registers new plans when a crash interrupted their command; otherwise they are already registered. */
@Injectable()
export class RegisterPlans implements Reactor<WithPlans> {
  readonly name = 'register-plans';
  readonly types = typesOf<WithPlans>({ ProductCreated: true, PlanAdded: true });

  constructor(private readonly plans: Plans) {}

  async react(event: RecordedOf<WithPlans>): Promise<void> {
    const plans = 'plan' in event.data ? [event.data.plan] : event.data.plans;
    const planIds = plans.map(({ planId }) => planId);
    await this.plans.register(event.data.productId, planIds, resumeContext(event, this.name));
  }
}
