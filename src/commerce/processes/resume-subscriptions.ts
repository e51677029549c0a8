import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { Renewals } from '../commands/renewals.steps.js';
import { subscriptionDecider } from '../domain/subscription.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

@Injectable()
export class ResumeSubscriptions implements TimerHandler {
  readonly kind = 'resumption';
  readonly name = 'resume-subscriptions';
  readonly queue = declareTimerQueue('resumptions');

  constructor(
    private readonly streams: Streams,
    private readonly renewals: Renewals,
  ) {}

  async run(subscriptionId: string, context: TimerContext): Promise<void> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (subscription.status === 'paused' && subscription.resumesAt !== null)
      await this.renewals.resume(subscriptionId, subscription.resumesAt, context);
  }
}
