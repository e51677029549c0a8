import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { addMs, DAY_MS } from '../../kernel/clock.js';
import { Disputes } from '../commands/disputes.steps.js';
import { paymentDecider } from '../domain/payment.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

const EVIDENCE_DELAY_MS = 7 * DAY_MS;

/** Opens the dispute of a payment by the simulated gateway. It is about the whole payment, also after a refund. */
@Injectable()
export class OpenDisputes implements TimerHandler {
  readonly kind = 'dispute';
  readonly name = 'open-disputes';
  readonly queue = declareTimerQueue('dispute-openings');

  constructor(
    private readonly streams: Streams,
    private readonly disputes: Disputes,
  ) {}

  async run(paymentId: string, context: TimerContext): Promise<void> {
    const payment = await this.streams.loadState(paymentDecider, paymentId);
    if (payment.status !== 'succeeded') return;
    const { gatewayReference } = payment.success;
    const { amountCents, currency } = payment.charge;
    const evidenceDueAt = addMs(context.now, EVIDENCE_DELAY_MS);
    const terms = { gatewayReference, amountCents, currency, evidenceDueAt };
    const report = { ...terms, reason: 'fraudulent', status: 'open', feeCents: 0 } as const;
    await this.disputes.execute(paymentId, { type: 'RecordDispute', report }, context);
  }
}
