import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../engine/registry.js';
import { type RecordedOf, typesOf } from '../../kernel/event.js';
import { Installments, type InstallmentsEnd } from '../commands/installments.steps.js';

/** Closes the invoice of a part after its last failed charge, or of a cancelled plan, when a crash has prevented it. */
@Injectable()
export class WriteOffInstallments implements Reactor<InstallmentsEnd> {
  readonly name = 'write-off-installments';
  readonly types = typesOf<InstallmentsEnd>({ InstallmentFailed: true, InstallmentPlanCancelled: true });

  constructor(private readonly installments: Installments) {}

  async react(end: RecordedOf<InstallmentsEnd>): Promise<void> {
    await this.installments.closeInvoice(end);
  }
}
