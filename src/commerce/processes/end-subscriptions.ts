import { Injectable } from '@nestjs/common';
import { Streams } from '../../engine/streams/streams.js';
import { subscriptionDecider } from '../domain/subscription.js';
import { declareTimerQueue, type TimerContext, type TimerHandler } from './timers/timer-handler.js';

/** Ends a subscription at the scheduled time of its cancellation. */
@Injectable()
export class EndSubscriptions implements TimerHandler {
  readonly kind = 'cancellation';
  readonly name = 'end-subscriptions';
  readonly queue = declareTimerQueue('cancellations');

  constructor(private readonly streams: Streams) {}

  async run(subscriptionId: string, context: TimerContext): Promise<void> {
    const subscription = await this.streams.loadState(subscriptionDecider, subscriptionId);
    if (!('cancellation' in subscription) || subscription.cancellation === null) return;
    const end = { type: 'EndSubscription', cancelAt: subscription.cancellation.at } as const;
    await this.streams.execute(subscriptionDecider, subscriptionId, end, context);
  }
}
