import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { resumed } from '../../kernel/context.js';
import type { Recorded } from '../../kernel/event.js';
import { Plans, type Filing } from '../commands/plans.js';

/** Files the plans of a product whose creation a crash cut short; where it was not, they are filed already. */
@Injectable()
export class FilePlans implements Reactor {
  readonly name = 'file-plans';
  readonly types = ['ProductCreated'];

  constructor(private readonly plans: Plans) {}

  async react(created: Recorded): Promise<void> {
    await this.plans.file(created.data as Filing, resumed(created, this.name));
  }
}
