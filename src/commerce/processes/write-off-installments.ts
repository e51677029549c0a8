import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { type InstallmentFailed, Installments } from '../commands/installments.steps.js';

/** Writes off the invoice of a part after its last failed charge, when a crash has prevented the timer from it. */
@Injectable()
export class WriteOffInstallments implements Reactor {
  readonly name = 'write-off-installments';
  readonly types = ['InstallmentFailed'];

  constructor(private readonly installments: Installments) {}

  async react(failed: InstallmentFailed): Promise<void> {
    await this.installments.writeOff(failed);
  }
}
