import { Injectable } from '@nestjs/common';
import type { Reschedule } from '../../engine/registry.js';
import { Clock, toIso } from '../../kernel/clock.js';
import { Refunds } from '../commands/refunds.steps.js';
import { parseRefundTimerId } from '../projections/timer-changes.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

const CHECK_INTERVAL_MS = 60_000;

/** Polls the gateway for unsettled refunds until the result is known. */
@Injectable()
export class SettleRefunds implements TimerHandler {
  readonly kind = 'refund';
  readonly name = 'settle-refunds';
  readonly queue = declareTimerQueue('refund-settlements');

  constructor(
    private readonly refunds: Refunds,
    private readonly clock: Clock,
  ) {}

  async run(id: string, context: TimerContext): Promise<void | Reschedule> {
    const { paymentId, refundId } = parseRefundTimerId(id);
    const { status } = await this.refunds.check(paymentId, refundId, context);
    if (status === 'unsettled') return { at: toIso(this.clock.now() + CHECK_INTERVAL_MS), reason: 'not settled yet' };
  }
}
