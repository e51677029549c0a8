import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumed } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Plans, type Filing } from '../commands/plans.js';

/** Registers the plans of a product when a crash interrupted CreateProduct; otherwise they are already registered. */
@Injectable()
export class FilePlans implements Reactor {
  readonly name = 'file-plans';
  readonly types = ['ProductCreated'];

  constructor(private readonly plans: Plans) {}

  async react(created: Recorded): Promise<void> {
    await this.plans.file(created.data as Filing, resumed(created, this.name));
  }
}
