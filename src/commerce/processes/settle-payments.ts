import { Injectable } from '@nestjs/common';
import type { Reschedule } from '../../engine/registry.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { Settlements } from '../commands/settlements.steps.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

const CHECK_INTERVAL_MS = 60_000;

/** Polls the gateway for unsettled charges until the result is known. */
@Injectable()
export class SettlePayments implements TimerHandler {
  readonly kind = 'settlement';
  readonly name = 'settle-payments';
  readonly queue = declareTimerQueue('settlements');

  constructor(
    private readonly settlements: Settlements,
    private readonly clock: Clock,
  ) {}

  async run(paymentId: string, context: TimerContext): Promise<void | Reschedule> {
    const { status } = await this.settlements.check(paymentId, context);
    if (status === 'unsettled') return { at: toIso(this.clock.now() + CHECK_INTERVAL_MS), reason: 'not settled yet' };
  }
}
