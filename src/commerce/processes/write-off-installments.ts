import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { type InstallmentFailed, Installments } from '../commands/installments.steps.js';

/** Writes off the invoice of a part after its last failed charge, when a crash has prevented the timer from it. */
@Injectable()
export class WriteOffInstallments implements Reactor<InstallmentFailed> {
  readonly name = 'write-off-installments';
  readonly types = typesOf<InstallmentFailed>({ InstallmentFailed: true });

  constructor(private readonly installments: Installments) {}

  async react(failed: RecordedOf<InstallmentFailed>): Promise<void> {
    await this.installments.writeOff(failed);
  }
}
