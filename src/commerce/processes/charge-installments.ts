import { Injectable } from '@nestjs/common';
import { Installments } from '../commands/installments.steps.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

/** Charges the next part of an installment plan, or an unpaid one again. */
@Injectable()
export class ChargeInstallments implements TimerHandler {
  readonly kind = 'installment';
  readonly name = 'charge-installments';
  readonly queue = declareTimerQueue('installments');

  constructor(private readonly installments: Installments) {}

  async run(installmentPlanId: string, context: TimerContext): Promise<void> {
    await this.installments.run(installmentPlanId, context);
  }
}
