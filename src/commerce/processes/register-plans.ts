import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumeContext } from '../../kernel/context.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { type PlanRegistration, Plans } from '../commands/plans.steps.js';

/** Registers the plans of a product when a crash interrupted CreateProduct; otherwise they are already registered. */
@Injectable()
export class RegisterPlans implements Reactor {
  readonly name = 'register-plans';
  readonly types = ['ProductCreated'];

  constructor(private readonly plans: Plans) {}

  async react(created: RecordedEvent): Promise<void> {
    await this.plans.register(created.data as PlanRegistration, resumeContext(created, this.name));
  }
}
