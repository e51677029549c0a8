import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedOf } from '../../kernel/event.js';
import { Plans } from '../commands/plans.steps.js';
import type { ProductEvent } from '../domain/product.js';

type ProductCreated = Extract<ProductEvent, { type: 'ProductCreated' }>;

/** Registers the plans of a product when a crash interrupted CreateProduct; otherwise they are already registered. */
@Injectable()
export class RegisterPlans implements Reactor<ProductCreated> {
  readonly name = 'register-plans';
  readonly types = ['ProductCreated'] as const;

  constructor(private readonly plans: Plans) {}

  async react(created: RecordedOf<ProductCreated>): Promise<void> {
    await this.plans.register(created.data, resumeContext(created, this.name));
  }
}
