import { Injectable } from '@nestjs/common';
import { Renewals } from '../commands/renewals.steps.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

/** Charges the next period of a subscription, or an unpaid one again. */
@Injectable()
export class RenewSubscriptions implements TimerHandler {
  readonly kind = 'renewal';
  readonly name = 'renew-subscriptions';
  readonly queue = declareTimerQueue('renewals');

  constructor(private readonly renewals: Renewals) {}

  async run(subscriptionId: string, context: TimerContext): Promise<void> {
    await this.renewals.run(subscriptionId, context);
  }
}
