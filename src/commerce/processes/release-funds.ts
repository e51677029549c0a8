import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { paymentDecider } from '../domain/payment.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

/** Releases the funds of a sale after a delay. */
@Injectable()
export class ReleaseFunds implements TimerHandler {
  readonly kind = 'funds';
  readonly name = 'release-funds';
  readonly queue = declareTimerQueue('funds');

  constructor(private readonly streams: Streams) {}

  async run(paymentId: string, context: TimerContext): Promise<void> {
    await this.streams.execute(paymentDecider, paymentId, { type: 'ReleaseFunds' }, context);
  }
}
